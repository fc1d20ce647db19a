/** A camera that orbits a board, within limits, and glides on after a drag. */
import { PerspectiveCamera, Vector3 } from "three";
import type { CameraLimits } from "../looks/BoardLook";

const FIELD_OF_VIEW = 20;
const MAX_ZOOM = 2.5;
const FRICTION = 0.9;
const STILL = 0.02; // degrees a frame
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const clamp = (value: number, [least, most]: [number, number]): number => Math.min(most, Math.max(least, value));

export class OrbitCamera {
  private speed = { turn: 0, tilt: 0 };
  private goal: { turn: number; tilt: number } | null = null;
  private zoom = 1;
  /** The side from which the board is seen, in degrees: that of the first or the second player. */
  private readonly front: number;
  /** Reduced motion: no gliding. */
  reducedMotion = false;

  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, 100);

  /** `points` stay in sight; the camera looks at `middle`, from `turn` and `tilt` degrees at first. */
  constructor(
    private readonly points: Vector3[],
    private readonly middle: Vector3,
    private readonly limits: CameraLimits,
    public turn: number,
    public tilt: number,
  ) {
    this.front = 180 * Math.round(turn / 180);
    this.camera.up.set(0, 0, 1);
  }

  /** Turn by degrees; the board glides on when it is let go with some speed. */
  drag(turn: number, tilt: number): void {
    this.goal = null;
    this.speed = { turn, tilt };
    this.move(turn, tilt);
  }

  stop(): void {
    this.speed = { turn: 0, tilt: 0 };
  }

  step(turn: number, tilt: number): void {
    const from = this.goal ?? { turn: this.turn, tilt: this.tilt };
    this.goTo(from.turn + turn, from.tilt + tilt);
  }

  zoomBy(share: number): void {
    this.zoom = clamp(this.zoom * share, [1, MAX_ZOOM]);
  }

  /** Look at a side of the board. */
  face(direction: Vector3): void {
    const [turn, tilt] = this.turnTowards(direction);
    this.goTo(this.turn + turn, this.tilt + tilt);
  }

  /** Return by how many degrees to turn and tilt the board so that a side of it is seen well. */
  turnTowards(direction: Vector3): [number, number] {
    const turn = (Math.atan2(-direction.x, -direction.y) * 180) / Math.PI;
    const level = Math.hypot(direction.x, direction.y);
    const tilt = (Math.atan2(direction.z, level) * 180) / Math.PI;
    const nearest = level < 0.1 ? 0 : ((((turn - this.turn) % 360) + 540) % 360) - 180;
    return [nearest, clamp(0.6 * tilt + 0.4 * Math.sign(tilt || 1) * 25, [-65, 65]) - this.tilt];
  }

  private goTo(turn: number, tilt: number): void {
    this.stop();
    this.goal = { turn: this.limitedTurn(turn), tilt: clamp(tilt, this.limits.tilt) };
    if (this.reducedMotion) this.arrive();
  }

  private arrive(): void {
    if (this.goal) ({ turn: this.turn, tilt: this.tilt } = this.goal);
    this.goal = null;
  }

  private limitedTurn(turn: number): number {
    return this.limits.turn === null ? turn : clamp(turn, [this.front - this.limits.turn, this.front + this.limits.turn]);
  }

  private move(turn: number, tilt: number): void {
    this.turn = this.limitedTurn(this.turn + turn);
    this.tilt = clamp(this.tilt + tilt, this.limits.tilt);
  }

  /** Advance by one frame; returns whether the board still moves. */
  advance(held: boolean): boolean {
    if (this.goal) {
      const left = { turn: this.goal.turn - this.turn, tilt: this.goal.tilt - this.tilt };
      if (Math.abs(left.turn) + Math.abs(left.tilt) < 0.3) this.arrive();
      else this.move(0.2 * left.turn, 0.2 * left.tilt);
      return true;
    }
    if (held || this.reducedMotion) return false;
    this.speed = { turn: FRICTION * this.speed.turn, tilt: FRICTION * this.speed.tilt };
    if (Math.abs(this.speed.turn) + Math.abs(this.speed.tilt) < STILL) return false;
    this.move(this.speed.turn, this.speed.tilt);
    return true;
  }

  /** Right, up and towards the viewer, in the board's space. */
  viewAxes(): [Vector3, Vector3, Vector3] {
    const [turn, tilt] = [radians(this.turn), radians(this.tilt)];
    const away = new Vector3(Math.sin(turn), Math.cos(turn), 0);
    const right = new Vector3(Math.cos(turn), -Math.sin(turn), 0);
    const towards = new Vector3(0, 0, Math.sin(tilt)).addScaledVector(away, -Math.cos(tilt));
    const up = new Vector3(0, 0, Math.cos(tilt)).addScaledVector(away, Math.sin(tilt));
    return [right, up, towards];
  }

  /** Put the camera where all points are in sight. */
  updateCamera(aspect: number): void {
    const [right, up, towards] = this.viewAxes();
    const high = 0.95 * Math.tan(radians(this.camera.fov / 2));
    const needed = this.points.map((point) => {
      const seen = point.clone().sub(this.middle);
      const side = Math.max(Math.abs(seen.dot(right)) / aspect, Math.abs(seen.dot(up)));
      return seen.dot(towards) + side / high;
    });
    const distance = Math.max(...needed) / this.zoom;
    this.camera.aspect = aspect;
    this.camera.position.copy(this.middle).addScaledVector(towards, distance);
    this.camera.up.copy(up);
    this.camera.lookAt(this.middle);
    this.camera.near = distance / 20;
    this.camera.far = distance * 4;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }
}
