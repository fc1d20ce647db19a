/** A board in three dimensions: draws a scene, turns, finds the cell under the pointer, and frees what it has allocated. */
import {
  BufferAttribute,
  Mesh,
  type MeshBasicMaterial,
  MeshLambertMaterial,
  type MeshStandardMaterial,
  type Object3D,
  PCFShadowMap,
  Scene,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
import type { BoardView } from "../../api/types";
import { type BoardScene, capturedCells, ghostPieces, remainingPieces } from "../BoardScene";
import { lookOf } from "../looks";
import type { BoardLook } from "../looks/BoardLook";
import { boundingPoints, buildDecorations } from "./decorations";
import { BandMeshes, colourTiles, listBands, listDots } from "./highlights";
import { BoardLights } from "./lights";
import { OrbitCamera } from "./orbitCamera";
import { Palette } from "./palette";
import { CellPicker } from "./picking";
import { PieceMeshes, type PlacedPieces } from "./pieceMeshes";
import { buildSurface, type CellPlace, placeOf, type Surface } from "./surface";

const MAX_PIXEL_RATIO = 2;
const SLOW_FRAME_MS = 40; // while the board turns, a machine that needs longer gets fewer pixels and older shadows
const MAX_SLOW_MS = 600; // of slow frames, before nothing turns without need

export class SolidRenderer {
  readonly orbit: OrbitCamera;
  readonly picker: CellPicker;
  private readonly renderer = new WebGLRenderer({ antialias: true, alpha: true });
  private readonly world = new Scene();
  private readonly look: BoardLook;
  private readonly palette: Palette;
  private readonly surface: Surface;
  private readonly tiles: Mesh;
  private readonly ground: Mesh<Surface["ground"], MeshLambertMaterial>;
  private readonly places: ReadonlyMap<string, CellPlace>;
  private readonly pieces: PieceMeshes;
  private readonly bands: BandMeshes;
  private readonly lights: BoardLights;
  private readonly resizing = new ResizeObserver(() => this.resize());
  private decorations: Object3D;
  private scene: BoardScene | null = null;
  private cursor: string | null = null;
  private frame = 0;
  private isHeld = false;
  private drawnAt = 0;
  private wasTurning = false; // at the frame before
  private static slowMs = 0; // of slow frames, of all boards
  private isReduced = false; // whether it is drawn with fewer pixels and without shadows
  private shadowsFrom = ""; // where the light came from when shadows were drawn; empty when pieces have moved since

  constructor(
    private readonly host: HTMLElement,
    private readonly board: BoardView,
  ) {
    this.look = lookOf(board);
    this.setUpRenderer();
    this.palette = new Palette(host);
    this.places = new Map(board.cells.map((cell) => [cell.name, placeOf(board, cell)]));
    this.surface = buildSurface(board);
    this.tiles = this.buildTiles();
    this.ground = this.buildGround();
    this.decorations = buildDecorations(board, this.palette);
    this.pieces = new PieceMeshes(this.world, this.palette, board.map.piece_sizes);
    this.bands = new BandMeshes(this.world, board, this.palette);
    const points = boundingPoints(board);
    const heights = points.map((point) => point.z);
    const middle = new Vector3(0, 0, (Math.min(...heights) + Math.max(...heights)) / 2);
    const radius = Math.max(...points.map((point) => point.distanceTo(middle)));
    this.lights = new BoardLights(this.world, this.palette, middle, radius);
    this.orbit = new OrbitCamera(points, middle, this.look.cameraLimits, board.camera.yaw, board.camera.pitch);
    this.picker = this.buildPicker();
    this.world.add(this.tiles, this.ground, this.decorations);
    this.resizing.observe(host);
  }

  private buildPicker(): CellPicker {
    const { orbit, board, places, surface, tiles, ground, pieces } = this;
    return new CellPicker(this.renderer.domElement, orbit, board, places, surface, tiles, ground, pieces);
  }

  private setUpRenderer(): void {
    this.renderer.setPixelRatio(Math.min(MAX_PIXEL_RATIO, devicePixelRatio));
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.host.append(this.renderer.domElement);
  }

  private buildTiles(): Mesh {
    const colours = new Float32Array(3 * this.surface.tiles.getAttribute("position").count);
    this.surface.tiles.setAttribute("color", new BufferAttribute(colours, 3));
    const mesh = new Mesh(this.surface.tiles, new MeshLambertMaterial({ vertexColors: true }));
    mesh.receiveShadow = true;
    return mesh;
  }

  private buildGround(): typeof this.ground {
    const mesh = new Mesh(this.surface.ground, new MeshLambertMaterial({ color: this.palette.colour("line") }));
    mesh.renderOrder = 1; // after the tiles, which hide nearly all of it
    mesh.scale.setScalar(0.997);
    mesh.position.z = -this.look.groundOffset;
    mesh.castShadow = this.look.form === "solid";
    return mesh;
  }

  show(scene: BoardScene): void {
    this.scene = scene;
    colourTiles(this.board, this.surface, scene, this.palette);
    const dots = listDots(scene).map(({ cell, variable }) => ({ place: this.places.get(cell)!, variable }));
    this.pieces.show(this.placedPieces(scene), dots);
    this.picker.setPieces(scene.position.pieces);
    this.shadowsFrom = "";
    this.showBands();
  }

  showCursor(cursor: string | null): void {
    if (cursor === this.cursor) return;
    this.cursor = cursor;
    this.showBands();
  }

  private showBands(): void {
    this.bands.show(listBands(this.board, this.scene, this.cursor));
    this.requestFrame();
  }

  private placedPieces(scene: BoardScene): PlacedPieces[] {
    const captured = capturedCells(scene);
    const place = (cell: string): CellPlace => this.places.get(cell)!;
    return [
      ...Object.entries(remainingPieces(scene)).map(([cell, pieces]) => ({
        place: place(cell),
        pieces,
        ghost: captured.has(cell),
      })),
      ...Object.entries(ghostPieces(scene)).map(([cell, pieces]) => ({ place: place(cell), pieces, ghost: true })),
    ];
  }

  /** Read all colours again, after the theme has changed. */
  repaint(): void {
    this.palette.clear();
    this.lights.repaint();
    this.ground.material.color = this.palette.colour("line");
    this.world.remove(this.decorations);
    disposeAll(this.decorations);
    this.decorations = buildDecorations(this.board, this.palette);
    this.world.add(this.decorations);
    if (this.scene) this.show(this.scene);
  }

  /** Return by how many degrees to turn and tilt so that a cell comes to the front. */
  turnTowards(cell: string): [number, number] {
    return this.orbit.turnTowards(this.places.get(cell)!.normal);
  }

  /** Turn a solid so far that a cell is in sight. */
  reveal(cell: string): void {
    if (this.look.form === "flat" || !this.picker.isHidden(cell)) return;
    this.orbit.face(this.places.get(cell)!.normal);
    this.requestFrame();
  }

  /** Say whether a pointer holds the board, which then does not glide. */
  setHeld(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.requestFrame();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.draw();
  }

  requestFrame(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      const isMoving = this.orbit.advance(this.isHeld);
      this.adaptPixels(now, isMoving || this.isHeld);
      this.draw();
      if (isMoving) this.requestFrame();
    });
  }

  /** Fewer pixels and no shadows while a slow machine turns the board, and all again when it rests. */
  private adaptPixels(now: number, isTurning: boolean): void {
    const elapsed = now - this.drawnAt;
    const isSlow = isTurning && this.wasTurning && elapsed > SLOW_FRAME_MS;
    [this.drawnAt, this.wasTurning] = [now, isTurning];
    if (isSlow) SolidRenderer.slowMs += elapsed;
    if (isTurning ? !isSlow || this.isReduced : !this.isReduced) return;
    this.isReduced = isTurning;
    this.renderer.setPixelRatio(Math.min(MAX_PIXEL_RATIO, devicePixelRatio) * (isTurning ? 0.5 : 1));
  }

  /** Whether drawing is so slow here that nothing should turn without need. */
  get isSlow(): boolean {
    return SolidRenderer.slowMs > MAX_SLOW_MS;
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.orbit.updateCamera(width / height);
    this.lights.follow(this.orbit.viewAxes());
    this.lights.showShadows(!this.isReduced);
    this.renderer.shadowMap.needsUpdate = !this.isReduced && this.needsShadows();
    this.renderer.render(this.world, this.orbit.camera);
  }

  /** Whether pieces or the light have moved since shadows were drawn. */
  private needsShadows(): boolean {
    const from = `${this.orbit.turn} ${this.orbit.tilt}`;
    if (from === this.shadowsFrom) return false;
    this.shadowsFrom = from;
    return true;
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.resizing.disconnect();
    this.pieces.dispose();
    disposeAll(this.world);
    this.palette.remove();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.renderer.domElement.remove();
  }
}

const isMesh = (object: Object3D): object is Mesh => "isMesh" in object;

function disposeAll(root: Object3D): void {
  root.traverse((each) => {
    if (!isMesh(each)) return;
    each.geometry.dispose();
    for (const material of [each.material].flat() as (MeshStandardMaterial | MeshLambertMaterial | MeshBasicMaterial)[]) {
      material.map?.dispose();
      material.dispose();
    }
  });
}
