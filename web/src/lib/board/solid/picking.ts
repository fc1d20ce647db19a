/** Which cell is at a point of the screen, and at which point a cell is. */
import { type Mesh, Raycaster, Vector2, Vector3 } from "three";
import type { BoardView, Point, PositionView } from "../../api/types";
import { add } from "../geometry2d";
import type { OrbitCamera } from "./orbitCamera";
import type { PieceMeshes } from "./pieceMeshes";
import type { CellPlace, Surface } from "./surface";

const TOLERANCE: Point[] = [
  [0, 0],
  [2, 0],
  [-2, 0],
  [0, 2],
  [0, -2],
]; // pixels by which a pointer may miss
const PICKING_RADIUS = 0.72; // of a stack, as a share of the room of its cell
const MIN_VISIBLE = 0.05; // cosine between a cell's normal and the direction to the camera
const MIN_REVEALED = 0.2; // a cell that is turned away more than this is turned to the front

export class CellPicker {
  private pieces: PositionView["pieces"] = {};

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly orbit: OrbitCamera,
    private readonly board: BoardView,
    private readonly places: ReadonlyMap<string, CellPlace>,
    private readonly surface: Surface,
    private readonly tiles: Mesh,
    private readonly ground: Mesh,
    private readonly meshes: PieceMeshes,
  ) {}

  setPieces(pieces: PositionView["pieces"]): void {
    this.pieces = pieces;
  }

  /** Return the cell at a point of the screen: of a stack that stands there, or of the surface. */
  cellAt(x: number, y: number): string | null {
    const box = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    const at = new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    caster.setFromCamera(at, this.orbit.camera);
    const hit = caster.intersectObjects([this.tiles, this.ground])[0];
    const stack = this.stackAt(caster, hit?.distance ?? Number.POSITIVE_INFINITY);
    if (stack) return stack;
    const triangle = hit?.object === this.tiles ? hit.faceIndex : caster.intersectObject(this.tiles)[0]?.faceIndex;
    return hit && triangle != null ? this.board.cells[this.surface.cellOf[triangle]!]!.name : null;
  }

  private stackAt(caster: Raycaster, farthest: number): string | null {
    let [best, least]: [string | null, number] = [null, farthest];
    for (const cell of Object.keys(this.pieces)) {
      const place = this.places.get(cell)!;
      const onRay = new Vector3();
      const distance = Math.sqrt(caster.ray.distanceSqToSegment(place.centre, this.topOf(place), onRay));
      const depth = onRay.distanceTo(caster.ray.origin);
      const isHit = distance < PICKING_RADIUS * place.room && place.normal.dot(caster.ray.direction) < 0;
      if (isHit && depth < least) [best, least] = [cell, depth];
    }
    return best;
  }

  /** The top of the pieces on a cell, or the cell itself where it is empty. */
  private topOf(place: CellPlace): Vector3 {
    const height = this.meshes.stackHeight(place, this.pieces[place.name] ?? []);
    return place.centre.clone().addScaledVector(place.normal, height);
  }

  /** Return where the visible cells lie on the screen, by name; y grows downward. */
  visibleCells(): Map<string, Point> {
    const visible = [...this.places.values()].filter((place) => this.facing(place) >= MIN_VISIBLE);
    return new Map(visible.map((place) => [place.name, this.projected(place.centre)]));
  }

  /** Return whether a cell is turned so far away that it should be brought to the front. */
  isHidden(name: string): boolean {
    const place = this.places.get(name);
    return place !== undefined && this.facing(place) <= MIN_REVEALED;
  }

  /** The cosine between the normal of a cell and the direction to the camera. */
  private facing({ centre, normal }: CellPlace): number {
    return normal.dot(this.orbit.camera.position.clone().sub(centre).normalize());
  }

  private projected(point: Vector3): Point {
    const { x, y } = point.clone().project(this.orbit.camera);
    return [x * this.orbit.camera.aspect, -y];
  }

  /** Return a point of the screen at which a cell can be chosen; null while it is out of sight. */
  pointOn(name: string): Point | null {
    const place = this.places.get(name);
    const cell = this.board.cells.find((each) => each.name === name);
    if (!place || !cell) return null;
    this.orbit.updateCamera(this.orbit.camera.aspect); // it may have been turned since it was drawn
    const within = cell.outline.map((corner) => place.centre.clone().lerp(new Vector3(...corner), 0.6));
    const points = [this.topOf(place), place.centre, ...within].map((point) => this.onScreen(point));
    return points.find((point) => TOLERANCE.every((offset) => this.cellAt(...add(point, offset)) === name)) ?? null;
  }

  private onScreen(point: Vector3): Point {
    const box = this.canvas.getBoundingClientRect();
    const { x, y } = point.clone().project(this.orbit.camera);
    return [box.left + ((1 + x) * box.width) / 2, box.top + ((1 - y) * box.height) / 2];
  }
}
