/** What a scene marks on the board in three dimensions: colours of tiles, bands inside outlines, dots on stones. */
import { type BufferAttribute, type Color, Mesh, MeshBasicMaterial, type Scene } from "three";
import type { BoardView } from "../../api/types";
import { type BoardScene, decidingCells, hintedCells, starredCells, visibleTerritory } from "../BoardScene";
import { toClassName } from "../pieceStyle";
import type { Palette } from "./palette";
import { buildBand, type Surface } from "./surface";

/** A band inside the outline of a cell: its colour, as a variable of the style sheet, and its width. */
type Band = [cell: string, variable: string, width: number];

/** A dot on top of a stone, in the colour of a variable. */
export interface Dot {
  cell: string;
  variable: string;
}

/** Write the colour of every tile into the surface. */
export function colourTiles(board: BoardView, surface: Surface, scene: BoardScene, palette: Palette): void {
  const colours = surface.tiles.getAttribute("color") as BufferAttribute;
  board.cells.forEach(({ name, role }, number) => {
    const [from, to] = surface.vertices[number]!;
    const colour = tileColour(scene, palette, name, role);
    for (let vertex = from; vertex < to; vertex++) colours.setXYZ(vertex, colour.r, colour.g, colour.b);
  });
  colours.needsUpdate = true;
}

function tileColour(scene: BoardScene, palette: Palette, name: string, role: string): Color {
  const colour = palette.colour(toClassName(role));
  const mix = (variable: string, share: number, paint = ""): void =>
    void colour.lerp(palette.colour(variable, paint), share);
  for (const [owner, cells] of Object.entries(visibleTerritory(scene)))
    if (cells.includes(name)) mix("body", 0.5, toClassName(owner));
  const heat = scene.heat[name];
  if (heat !== undefined) mix("heat", 0.15 + 0.7 * heat);
  if (decidingCells(scene).includes(name)) mix("witness", 0.65);
  if (scene.illegal?.witness.includes(name)) mix("accent", 0.4);
  return colour;
}

/** Return the dots of a scene: on the stone of the last move, and on those that decide the game. */
export function listDots(scene: BoardScene): Dot[] {
  const last = scene.lastMove.at(-1);
  const isStone = last !== undefined && scene.position.pieces[last]?.[0]?.kind === "stone";
  return [
    ...(isStone ? [{ cell: last, variable: "accent" }] : []),
    ...starredCells(scene).map((cell) => ({ cell, variable: "witness" })),
  ];
}

/** Return the bands of a scene, those on top last. */
export function listBands(board: BoardView, scene: BoardScene | null, cursor: string | null): Band[] {
  const banded = (cells: Iterable<string>, variable: string, width: number): Band[] =>
    [...cells].map((cell) => [cell, variable, width]);
  const atCursor = banded(cursor ? [cursor] : [], "cursor", 0.09);
  if (!scene) return atCursor;
  const isStacked = board.map.stack_offset.some((part) => part !== 0);
  return [
    ...banded(board.map.outlined_cells, "accent", 0.06),
    ...banded(hintedCells(scene, board), "choice", 0.07),
    ...banded(isStacked ? [...scene.earlierMoves.flat(), ...scene.lastMove] : [], "accent", 0.07),
    ...banded(decidingCells(scene), "witness", 0.1),
    ...banded(scene.illegal?.witness ?? [], "accent", 0.06),
    ...banded(Object.keys(scene.marks), "choice", 0.1),
    ...banded(scene.selected, "choice", 0.12),
    ...banded(scene.illegal ? [scene.illegal.cell] : [], "accent", 0.12),
    ...atCursor,
  ];
}

/** The meshes of the bands; `show` replaces those shown before. */
export class BandMeshes {
  private meshes: Mesh<Mesh["geometry"], MeshBasicMaterial>[] = [];

  constructor(
    private readonly world: Scene,
    private readonly board: BoardView,
    private readonly palette: Palette,
  ) {}

  show(bands: readonly Band[]): void {
    for (const mesh of this.meshes) {
      this.world.remove(mesh);
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.meshes = bands.flatMap((band) => this.build(band));
    if (this.meshes.length) this.world.add(...this.meshes);
  }

  private build([name, variable, width]: Band): typeof this.meshes {
    const cell = this.board.cells.find((each) => each.name === name);
    if (!cell) return [];
    const material = new MeshBasicMaterial({
      color: this.palette.colour(variable),
      polygonOffset: true,
      toneMapped: false,
    });
    material.polygonOffsetFactor = material.polygonOffsetUnits = -2;
    return [new Mesh(buildBand(this.board, cell, 0.01, width), material)];
  }
}
