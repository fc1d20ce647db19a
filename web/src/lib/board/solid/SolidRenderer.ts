/** The turning solid, or the tilted table: draws what is shown, tells which cell is under the pointer, frees what it made. */
import {
  BufferAttribute,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type MeshStandardMaterial,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import type { BoardView, Point } from "../../api/types";
import {
  type BoardScene,
  capturedCells,
  decidingCells,
  ghostPieces,
  remainingPieces,
  starredCells,
  visibleTerritory,
} from "../BoardScene";
import { add } from "../geometry2d";
import { toClassName } from "../pieceStyle";
import { furnitureGroup, reachOf } from "./decorations";
import { Orbit } from "./orbitCamera";
import { Palette } from "./palette";
import { type Dot, Pieces, type Standing } from "./pieceMeshes";
import { bandOf, type Place, placeOf, type Surface, surfaceOf } from "./surface";

const LIGHT = [-0.42, 0.6, 0.68] as const; // right, up, towards the viewer
const SHADOWS = 1024; // pixels of the shadow map
const SHARPEST = 2; // pixels of the picture to one of the screen
const SLOW = 40; // milliseconds a frame: while it turns, such a machine gets fewer pixels and older shadows
const ROUND_ABOUT: Point[] = [
  [0, 0],
  [2, 0],
  [-2, 0],
  [0, 2],
  [0, -2],
]; // pixels by which a hand may miss
const PATIENCE = 600; // milliseconds of slow frames
const HIDDEN = 0.2; // cells that look away more than this are not in sight

type Band = [cell: string, variable: string, width: number];

export class SolidView {
  readonly orbit: Orbit;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly palette: Palette;
  private readonly pieces: Pieces;
  private readonly surface: Surface;
  private readonly tiles: Mesh;
  private readonly ground: Mesh;
  private readonly places: Map<string, Place>;
  private readonly sun = new DirectionalLight(0xfff8ec, 2.2);
  private readonly sky = new HemisphereLight(0xffffff, 0xffffff, 1.55);
  private readonly middle: Vector3;
  private readonly reach: number;
  private furniture: Object3D;
  private bands: Mesh[] = [];
  private shown: BoardScene | null = null;
  private cursor: string | null = null;
  private frame = 0;
  private held = false;
  private drawn = 0; // when
  private turned = false; // whether that was in the midst of a turn
  private static slowTime = 0; // milliseconds of slow frames, of all boards
  private hurried = false;
  private lit = ""; // from where the light fell when shadows were cast; empty when pieces have moved since
  private readonly resizing: ResizeObserver;

  constructor(
    private readonly host: HTMLElement,
    private readonly board: BoardView,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(SHARPEST, devicePixelRatio));
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    host.append(this.renderer.domElement);
    this.palette = new Palette(host);
    this.places = new Map(board.cells.map((cell) => [cell.name, placeOf(board, cell)]));
    this.surface = surfaceOf(board);
    this.tiles = this.tileMesh();
    this.ground = this.groundMesh();
    this.furniture = furnitureGroup(board, this.palette);
    this.pieces = new Pieces(this.scene, this.palette);
    const points = reachOf(board);
    const heights = points.map((point) => point.z);
    this.middle = new Vector3(0, 0, (Math.min(...heights) + Math.max(...heights)) / 2);
    this.reach = Math.max(...points.map((point) => point.distanceTo(this.middle)));
    const table = board.views.includes("table");
    this.orbit = new Orbit(
      new PerspectiveCamera(20, 1, 1, 100),
      points,
      table ? { tilt: [18, 89], turn: 80 } : { tilt: [-89, 89], turn: null },
      this.middle,
      board.turn,
      board.tilt,
    );
    this.light();
    this.scene.add(this.tiles, this.ground, this.furniture);
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(host);
  }

  /** From below comes what the ground throws back. */
  private tintSky(): void {
    this.sky.groundColor = this.palette.colour("slab-top").lerp(new Color(0xffffff), 0.45);
  }

  private light(): void {
    this.tintSky();
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOWS, SHADOWS);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -this.reach;
    camera.right = camera.top = this.reach;
    camera.near = this.reach;
    camera.far = 5 * this.reach;
    this.sun.shadow.normalBias = 0.02;
    this.sun.shadow.radius = 5;
    this.scene.add(this.sun, this.sun.target, this.sky);
    this.sun.target.position.copy(this.middle);
  }

  private tileMesh(): Mesh {
    const colours = new Float32Array(3 * this.surface.tiles.getAttribute("position").count);
    this.surface.tiles.setAttribute("color", new BufferAttribute(colours, 3));
    const mesh = new Mesh(this.surface.tiles, new MeshLambertMaterial({ vertexColors: true }));
    mesh.receiveShadow = true;
    return mesh;
  }

  private groundMesh(): Mesh {
    const material = new MeshLambertMaterial({ color: this.palette.colour("line") });
    const mesh = new Mesh(this.surface.ground, material);
    mesh.renderOrder = 1; // after the tiles, which hide nearly all of it
    mesh.scale.setScalar(0.997);
    mesh.position.z = this.board.kind === "cube" ? 0 : -0.01;
    mesh.castShadow = this.board.views.includes("solid");
    return mesh;
  }

  // What is shown

  show(shown: BoardScene): void {
    this.shown = shown;
    this.colourTiles();
    this.pieces.show(this.standing(shown), this.dots(shown));
    this.lit = "";
    this.drawBands();
    this.request();
  }

  point(cursor: string | null): void {
    if (cursor === this.cursor) return;
    this.cursor = cursor;
    this.drawBands();
    this.request();
  }

  /** Colours are read anew, after the theme has changed. */
  repaint(): void {
    this.palette.forget();
    this.tintSky();
    (this.ground.material as MeshLambertMaterial).color = this.palette.colour("line");
    this.scene.remove(this.furniture);
    disposeAll(this.furniture);
    this.furniture = furnitureGroup(this.board, this.palette);
    this.scene.add(this.furniture);
    if (this.shown) this.show(this.shown);
  }

  private standing(shown: BoardScene): Standing[] {
    const going = capturedCells(shown);
    const stand = Object.entries(remainingPieces(shown)).map(([cell, pieces]) => ({
      place: this.places.get(cell)!,
      pieces,
      ghost: going.has(cell),
    }));
    const come = Object.entries(ghostPieces(shown)).map(([cell, pieces]) => ({
      place: this.places.get(cell)!,
      pieces,
      ghost: true,
    }));
    return [...stand, ...come];
  }

  private dots(shown: BoardScene): Dot[] {
    const cell = shown.lastMove.at(-1);
    const stone = cell !== undefined && shown.position.pieces[cell]?.[0]?.kind === "stone";
    const dot = (name: string, variable: string): Dot => ({ place: this.places.get(name)!, variable });
    return [...(stone ? [dot(cell, "accent")] : []), ...starredCells(shown).map((name) => dot(name, "witness"))];
  }

  private colourTiles(): void {
    const colours = this.surface.tiles.getAttribute("color") as BufferAttribute;
    this.board.cells.forEach((cell, number) => {
      const [from, to] = this.surface.vertices[number]!;
      const colour = this.tileColour(cell.name, cell.role);
      for (let vertex = from; vertex < to; vertex++) colours.setXYZ(vertex, colour.r, colour.g, colour.b);
    });
    colours.needsUpdate = true;
  }

  private tileColour(name: string, role: string): Color {
    const shown = this.shown!;
    const colour = this.palette.colour(toClassName(role));
    const mix = (variable: string, share: number, paint = ""): void =>
      void colour.lerp(this.palette.colour(variable, paint), share);
    for (const [owner, cells] of Object.entries(visibleTerritory(shown)))
      if (cells.includes(name)) mix("body", 0.5, toClassName(owner));
    const heat = shown.heat[name];
    if (heat !== undefined) mix("heat", 0.15 + 0.7 * heat);
    if (decidingCells(shown).includes(name)) mix("witness", 0.65);
    if (shown.illegal?.witness.includes(name)) mix("accent", 0.4);
    return colour;
  }

  private drawBands(): void {
    for (const mesh of this.bands) {
      this.scene.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as MeshBasicMaterial).dispose();
    }
    this.bands = this.wantedBands().flatMap(([cell, variable, width]) => this.band(cell, variable, width));
    if (this.bands.length) this.scene.add(...this.bands);
  }

  /** Cells with a band inside their outline: its colour and width. */
  private wantedBands(): Band[] {
    const banded = (cells: Iterable<string>, variable: string, width: number): Band[] =>
      [...cells].map((cell) => [cell, variable, width]);
    const marked = this.board.cells.filter(({ role }) => role === "marked").map(({ name }) => name);
    const cursor = banded(this.cursor ? [this.cursor] : [], "cursor", 0.09);
    const shown = this.shown;
    if (!shown) return cursor;
    const stacked = this.board.lean.some((part) => part !== 0);
    return [
      ...banded(marked, "accent", 0.06),
      ...banded(stacked || shown.selected.length ? shown.selectable : [], "choice", 0.07),
      ...banded(stacked ? shown.lastMove : [], "accent", 0.07),
      ...banded(decidingCells(shown), "witness", 0.1),
      ...banded(shown.illegal?.witness ?? [], "accent", 0.06),
      ...banded(shown.selected, "choice", 0.12),
      ...banded(shown.illegal ? [shown.illegal.cell] : [], "accent", 0.12),
      ...cursor,
    ];
  }

  private band(name: string, variable: string, width: number): Mesh[] {
    const cell = this.board.cells.find((each) => each.name === name);
    if (!cell) return [];
    const material = new MeshBasicMaterial({ color: this.palette.colour(variable), polygonOffset: true, toneMapped: false });
    material.polygonOffsetFactor = material.polygonOffsetUnits = -2;
    return [new Mesh(bandOf(this.board, cell, 0.01, width), material)];
  }

  // Pointing

  /** The cell at a point of the screen: of a stack that stands there, or of the surface. */
  cellAt(x: number, y: number): string | null {
    const box = this.renderer.domElement.getBoundingClientRect();
    const caster = new Raycaster();
    const at = new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    caster.setFromCamera(at, this.orbit.camera);
    const hit = caster.intersectObjects([this.tiles, this.ground])[0];
    const distance = hit?.distance ?? Number.POSITIVE_INFINITY;
    const stack = this.stackAt(caster, distance);
    if (stack) return stack;
    const triangle = hit?.object === this.tiles ? hit.faceIndex : caster.intersectObject(this.tiles)[0]?.faceIndex;
    return hit && triangle != null ? this.board.cells[this.surface.cellOf[triangle]!]!.name : null;
  }

  private stackAt(caster: Raycaster, farthest: number): string | null {
    let [best, least]: [string | null, number] = [null, farthest];
    for (const [cell, pieces] of Object.entries(this.shown?.position.pieces ?? {})) {
      const place = this.places.get(cell)!;
      const top = place.centre.clone().addScaledVector(place.normal, Pieces.height(place, pieces));
      const near = new Vector3();
      const away = Math.sqrt(caster.ray.distanceSqToSegment(place.centre, top, near));
      const depth = near.distanceTo(caster.ray.origin);
      if (away < 0.72 * place.room && depth < least && place.normal.dot(caster.ray.direction) < 0)
        [best, least] = [cell, depth];
    }
    return best;
  }

  /** Where the cells that are in sight lie on the screen. */
  seen(): Map<string, Point> {
    const found = new Map<string, Point>();
    for (const place of this.places.values()) {
      const away = this.orbit.camera.position.clone().sub(place.centre).normalize();
      if (place.normal.dot(away) < 0.05) continue;
      const at = place.centre.clone().project(this.orbit.camera);
      found.set(place.name, [at.x * this.orbit.camera.aspect, -at.y]);
    }
    return found;
  }

  /** A point of the screen at which a cell can be chosen; null while it is out of sight. */
  private pointOn(name: string): Point | null {
    const place = this.places.get(name);
    const cell = this.board.cells.find((each) => each.name === name);
    if (!place || !cell) return null;
    const top = place.centre
      .clone()
      .addScaledVector(place.normal, Pieces.height(place, this.shown?.position.pieces[name] ?? []));
    this.orbit.place(this.orbit.camera.aspect); // it may have been turned since it was drawn
    const within = cell.outline.map((corner) => place.centre.clone().lerp(new Vector3(...corner), 0.6));
    const points = [top, place.centre, ...within].map((point) => this.onScreen(point));
    return points.find((point) => ROUND_ABOUT.every((way) => this.cellAt(...add(point, way)) === name)) ?? null;
  }

  /** By how many degrees to turn and tilt so that a cell comes to the front. */
  private wayTo(name: string): [number, number] {
    return this.orbit.wayTo(this.places.get(name)!.normal);
  }

  /** What a program needs that uses the page by mouse. */
  forPrograms(): object {
    return { pointOn: (cell: string) => this.pointOn(cell), wayTo: (cell: string) => this.wayTo(cell) };
  }

  private onScreen(point: Vector3): Point {
    const box = this.renderer.domElement.getBoundingClientRect();
    const { x, y } = point.clone().project(this.orbit.camera);
    return [box.left + ((1 + x) * box.width) / 2, box.top + ((1 - y) * box.height) / 2];
  }

  /** Turn so far that a cell is in sight. */
  reveal(cell: string): void {
    const place = this.places.get(cell);
    if (!place || this.board.views.includes("table")) return;
    const away = this.orbit.camera.position.clone().sub(place.centre).normalize();
    if (place.normal.dot(away) > HIDDEN) return;
    this.orbit.face(place.normal);
    this.request();
  }

  hold(held: boolean): void {
    this.held = held;
    this.request();
  }

  // Drawing

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.draw();
  }

  request(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      const more = this.orbit.advance(this.held);
      this.hurry(now, more || this.held);
      this.draw();
      if (more) this.request();
    });
  }

  /** Fewer pixels while a slow machine turns the board, and all of them when it rests. */
  private hurry(now: number, turning: boolean): void {
    const before = this.drawn;
    const slow = turning && this.turned && now - before > SLOW;
    [this.drawn, this.turned] = [now, turning];
    if (slow) SolidView.slowTime += now - before;
    if (turning ? !slow || this.hurried : !this.hurried) return;
    this.hurried = turning;
    this.renderer.setPixelRatio(Math.min(SHARPEST, devicePixelRatio) * (turning ? 0.5 : 1));
  }

  /** Whether drawing has shown itself to be so slow here that nothing should turn for mere beauty. */
  get isSlow(): boolean {
    return SolidView.slowTime > PATIENCE;
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.orbit.place(width / height);
    const [right, up, towards] = this.orbit.axes();
    this.sun.position
      .copy(this.middle)
      .addScaledVector(right, 3 * this.reach * LIGHT[0])
      .addScaledVector(up, 3 * this.reach * LIGHT[1])
      .addScaledVector(towards, 3 * this.reach * LIGHT[2]);
    this.renderer.shadowMap.needsUpdate = !this.hurried && this.hasNewShadows();
    this.renderer.render(this.scene, this.orbit.camera);
  }

  /** Whether pieces or the light have moved since shadows were cast. */
  private hasNewShadows(): boolean {
    const lit = `${this.orbit.turn} ${this.orbit.tilt}`;
    if (lit === this.lit) return false;
    this.lit = lit;
    return true;
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.resizing.disconnect();
    this.pieces.dispose();
    disposeAll(this.scene);
    this.palette.remove();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.renderer.domElement.remove();
  }
}

function disposeAll(root: Object3D): void {
  root.traverse((each) => {
    if (!(each instanceof Mesh)) return;
    each.geometry.dispose();
    for (const material of [each.material].flat() as (MeshStandardMaterial | MeshLambertMaterial | MeshBasicMaterial)[]) {
      material.map?.dispose();
      material.dispose();
    }
  });
}
