/** The light on a board: a sun that stands beside the viewer and casts shadows, and the sky. */
import { Color, DirectionalLight, HemisphereLight, type Scene, type Vector3 } from "three";
import type { Palette } from "./palette";

const DIRECTION = [-0.42, 0.6, 0.68] as const; // right, up, towards the viewer
const SHADOW_MAP_SIZE = 1024; // pixels

export class BoardLights {
  private readonly sun = new DirectionalLight(0xfff8ec, 2.2);
  private readonly sky = new HemisphereLight(0xffffff, 0xffffff, 1.55);

  /** Light a board about `middle` with a radius. */
  constructor(
    world: Scene,
    private readonly palette: Palette,
    private readonly middle: Vector3,
    private readonly radius: number,
  ) {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_MAP_SIZE, SHADOW_MAP_SIZE);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = radius;
    camera.far = 5 * radius;
    this.sun.shadow.normalBias = 0.02;
    this.sun.shadow.radius = 5;
    this.sun.target.position.copy(middle);
    this.repaint();
    world.add(this.sun, this.sun.target, this.sky);
  }

  /** Light from below is what the ground reflects. */
  repaint(): void {
    this.sky.groundColor = this.palette.colour("slab-top").lerp(new Color(0xffffff), 0.45);
  }

  /** Show or hide shadows; those of a former place of the sun would darken what it now lights. */
  showShadows(isShown: boolean): void {
    this.sun.shadow.intensity = isShown ? 1 : 0;
  }

  /** Move the sun with the viewer; `axes` point right, up and towards the viewer. */
  follow(axes: readonly Vector3[]): void {
    this.sun.position.copy(this.middle);
    for (const [index, axis] of axes.entries()) this.sun.position.addScaledVector(axis, 3 * this.radius * DIRECTION[index]!);
  }
}
