/** Pieces in space: stones are lenses, checkers and discs turned on a lathe, rings hollow. */
import {
  Color,
  InstancedMesh,
  LatheGeometry,
  Matrix4,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  type Scene,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from "three";
import { pieceLetter } from "../../../i18n/index.svelte";
import type { Piece, PieceSizes } from "../../api/types";
import { letterTexture } from "./letterTexture";
import type { Palette } from "./palette";
import type { CellPlace } from "./surface";

const UP = new Vector3(0, 0, 1);
const SUNK = 0.45; // a stone's middle lies so high above its cell, as a share of its half height: it rests in its groove
const THICKNESS = 0.46; // of a stone, as a share of its radius, to either side

export interface PlacedPieces {
  place: CellPlace;
  pieces: readonly Piece[];
  ghost: boolean;
}

/** A dot on top of a stone, in the colour of a variable. */
export interface PieceDot {
  place: CellPlace;
  variable: string;
}

type RoundSize = PieceSizes["disc"];

interface Item {
  shape: string;
  matrix: Matrix4;
  colour: Color;
  ghost: boolean;
}

const SHAPES: Record<string, (sizes: PieceSizes) => LatheGeometry | SphereGeometry | TorusGeometry> = {
  stone: () => new SphereGeometry(1, 40, 24),
  groove: () => new TorusGeometry(0.6, 0.035, 8, 40),
  checker: ({ checker }) => buildLathe(checkerProfile(checker)),
  disc: ({ disc }) => buildLathe(roundedProfile(disc)),
  ring: ({ ring, ring_inner_radius }) => buildLathe(ringProfile(ring, ring_inner_radius)),
  dot: () => new SphereGeometry(1, 20, 12),
};

/** A profile turned about the upright axis. */
function buildLathe(profile: [number, number][]): LatheGeometry {
  const geometry = new LatheGeometry(
    profile.map(([x, y]) => new Vector2(x, y)),
    48,
  );
  geometry.rotateX(Math.PI / 2);
  return geometry;
}

function roundedProfile({ radius, height }: RoundSize): [number, number][] {
  const bevel = 0.025;
  return [
    [0.001, 0],
    [radius, 0],
    [radius, height - bevel],
    [radius - 0.3 * bevel, height - 0.3 * bevel],
    [radius - bevel, height],
    [0.001, height],
  ];
}

function checkerProfile({ radius: r, height: h }: RoundSize): [number, number][] {
  return [
    [0.001, 0],
    [r - 0.02, 0],
    [r, 0.03],
    [r, h - 0.035],
    [r - 0.012, h - 0.01],
    [r - 0.035, h],
    [r * 0.76, h],
    [r * 0.7, h - 0.04],
    [r * 0.46, h - 0.04],
    [r * 0.42, h - 0.015],
    [0.001, h - 0.015],
  ];
}

function ringProfile({ radius: outer, height: high }: RoundSize, inner: number): [number, number][] {
  const bevel = 0.02;
  return [
    [inner, 0],
    [outer, 0],
    [outer, high - bevel],
    [outer - bevel, high],
    [inner + bevel, high],
    [inner, high - bevel],
    [inner, 0],
  ];
}

/** Draws all pieces of a board; `show` replaces what stood there. */
export class PieceMeshes {
  private meshes: InstancedMesh[] = [];
  private readonly geometries = new Map<string, LatheGeometry | SphereGeometry | TorusGeometry>();
  private readonly letters = new Map<string, MeshBasicMaterial>();
  private readonly plane = new PlaneGeometry(1, 1);
  private readonly solid = new MeshStandardMaterial({ roughness: 0.36 });
  private readonly translucent = new MeshStandardMaterial({
    roughness: 0.4,
    transparent: true,
    opacity: 0.55,
    depthWrite: false,
  });

  constructor(
    private readonly scene: Scene,
    private readonly palette: Palette,
    private readonly sizes: PieceSizes,
  ) {}

  show(placed: readonly PlacedPieces[], dots: readonly PieceDot[]): void {
    this.clear();
    const items = placed.flatMap((each) => this.items(each));
    items.push(...dots.map((dot) => this.dot(dot, placed)));
    const groups = Map.groupBy(items, ({ shape, ghost }) => `${shape}${ghost ? " ghost" : ""}`);
    for (const group of groups.values()) this.add(group);
  }

  /** How high the pieces of a cell stand above it. */
  stackHeight(place: CellPlace, pieces: readonly Piece[]): number {
    if (pieces[0]?.kind === "stone") return (1 + SUNK) * this.stoneHeight(place);
    return pieces.reduce((sum, { kind }) => sum + (kind === "ring" ? 0.4 : 1) * this.sizes[kind].height, 0);
  }

  private stoneHeight(place: CellPlace): number {
    return (place.folded ? 0.8 : THICKNESS) * this.sizes.stone_fill * place.room;
  }

  private items({ place, pieces, ghost }: PlacedPieces): Item[] {
    let height = 0;
    return pieces.flatMap((piece, number) => {
      const paint = this.palette.paint(piece.colour);
      if (piece.kind === "stone") return this.stone(place, piece, ghost);
      const at = piece.kind === "ring" ? height - 0.6 * this.sizes.disc.height : height;
      const found: Item[] = [{ shape: piece.kind, matrix: placeAbove(place, at, 1), colour: paint.body, ghost }];
      if (piece.kind !== "ring") height += this.sizes[piece.kind].height;
      const covered = pieces[number + 1] && pieces[number + 1]!.kind !== "ring";
      if (piece.letter && !covered) {
        found.push({
          shape: `letter ${pieceLetter(piece)} ${paint.ink}`,
          matrix: placeAbove(place, height + 0.004, 0.46),
          colour: new Color(1, 1, 1),
          ghost,
        });
      }
      if (piece.kind === "checker" && piece.colour === "blue" && !covered) {
        found.push({ shape: "groove", matrix: placeAbove(place, height - 0.012, 0.24), colour: paint.outline, ghost });
      }
      return found;
    });
  }

  private stone(place: CellPlace, piece: Piece, ghost: boolean): Item[] {
    const radius = this.sizes.stone_fill * place.room;
    const high = this.stoneHeight(place);
    const paint = this.palette.paint(piece.colour);
    const matrix = placeAbove(place, SUNK * high, 1).scale(new Vector3(radius, radius, high));
    const stone: Item = { shape: "stone", matrix, colour: paint.body, ghost };
    if (piece.colour !== "blue") return [stone];
    return [
      stone,
      { shape: "groove", matrix: placeAbove(place, (SUNK + 0.78) * high, radius), colour: paint.outline, ghost },
    ];
  }

  private dot({ place, variable }: PieceDot, placed: readonly PlacedPieces[]): Item {
    const pieces = placed.find((each) => each.place === place)?.pieces ?? [];
    const radius = 0.26 * place.room;
    const at = this.stackHeight(place, pieces);
    const matrix = placeAbove(place, at, 1).scale(new Vector3(radius, radius, 0.3 * radius));
    return { shape: "dot", matrix, colour: this.palette.colour(variable), ghost: false };
  }

  private add(group: Item[]): void {
    const { shape, ghost } = group[0]!;
    const letter = shape.startsWith("letter ");
    const material = letter ? this.letter(shape) : ghost ? this.translucent : this.solid;
    const mesh = new InstancedMesh(letter ? this.plane : this.geometry(shape), material, group.length);
    group.forEach((item, number) => {
      mesh.setMatrixAt(number, item.matrix);
      mesh.setColorAt(number, item.colour);
    });
    mesh.castShadow = !ghost && !letter && shape !== "groove";
    mesh.receiveShadow = !letter;
    mesh.frustumCulled = false;
    this.meshes.push(mesh);
    this.scene.add(mesh);
  }

  private geometry(shape: string): LatheGeometry | SphereGeometry | TorusGeometry {
    const known = this.geometries.get(shape) ?? SHAPES[shape]!(this.sizes);
    this.geometries.set(shape, known);
    return known;
  }

  private letter(shape: string): MeshBasicMaterial {
    const known = this.letters.get(shape);
    if (known) return known;
    const [, letter, ...ink] = shape.split(" ");
    const made = new MeshBasicMaterial({
      map: letterTexture(letter!.toUpperCase(), ink.join(" ")),
      transparent: true,
      depthWrite: false,
    });
    this.letters.set(shape, made);
    return made;
  }

  clear(): void {
    for (const mesh of this.meshes) {
      this.scene.remove(mesh);
      mesh.dispose();
    }
    this.meshes = [];
  }

  dispose(): void {
    this.clear();
    for (const geometry of this.geometries.values()) geometry.dispose();
    for (const material of this.letters.values()) {
      material.map?.dispose();
      material.dispose();
    }
    this.plane.dispose();
    this.solid.dispose();
    this.translucent.dispose();
  }
}

/** Return the transformation that puts a shape above a cell, upright on it. */
function placeAbove(place: CellPlace, height: number, size: number): Matrix4 {
  const turn = new Quaternion().setFromUnitVectors(UP, place.normal);
  const at = place.centre.clone().addScaledVector(place.normal, height);
  return new Matrix4().compose(at, turn, new Vector3(size, size, size));
}
