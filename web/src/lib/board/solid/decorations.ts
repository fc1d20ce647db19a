/** What a board stands on or has between its cells: slab, coloured sides, light squares, letters, a soft shadow. */
import {
  CanvasTexture,
  type Color,
  DoubleSide,
  ExtrudeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  Shape,
  ShapeGeometry,
  Vector2,
  Vector3,
} from "three";
import type { BoardView, Point } from "../../api/types";
import { lookOf } from "../looks";
import type { FaceLetter } from "../looks/BoardLook";
import { toClassName } from "../pieceStyle";
import { letterTexture } from "./letterTexture";
import type { Palette } from "./palette";

const THICKNESS = 0.5; // of the slab
const LETTER_SCALE = 2.25; // of the texture of a label, in heights of its capitals: a label is seen from the side
const PIECE_HEIGHT = 0.35; // above a flat board, which must stay in sight

const toShape = (points: readonly Point[]): Shape => new Shape(points.map(([x, y]) => new Vector2(x, y)));

/** A point of the map on the board's plane, where y grows upward. */
const onPlane = ([x, y]: Point): Point => [x, -y];

/** What a board stands on and has between its cells. */
export function buildDecorations(board: BoardView, palette: Palette): Group {
  const look = lookOf(board);
  const group = new Group();
  if (look.form === "flat") group.add(...buildSlab(board, palette));
  group.add(...look.faceLetters(board).map((letter) => buildFaceLetter(letter, palette)), buildShadow(board));
  return group;
}

/** The points that must stay in sight. */
export function boundingPoints(board: BoardView): Vector3[] {
  return lookOf(board).form === "flat" ? slabCorners(board) : boundingCylinder(board);
}

function slabCorners(board: BoardView): Vector3[] {
  return board.slab_outline.flatMap(([x, y]) => [new Vector3(x, y, PIECE_HEIGHT), new Vector3(x, y, -THICKNESS)]);
}

/** The rims of the upright cylinder round a solid: it holds the solid however it is turned. */
function boundingCylinder(board: BoardView): Vector3[] {
  const corners = board.cells.flatMap((cell) => cell.outline);
  const radius = Math.max(...corners.map(([x, y]) => Math.hypot(x, y))) + 0.2;
  const heights = corners.map(([, , z]) => z);
  const angles = [...Array(24).keys()].map((number) => (number * Math.PI) / 12);
  return [Math.min(...heights), Math.max(...heights)].flatMap((z) =>
    angles.map((angle) => new Vector3(radius * Math.cos(angle), radius * Math.sin(angle), z)),
  );
}

function buildSlab(board: BoardView, palette: Palette): Mesh[] {
  const slab = new Mesh(
    new ExtrudeGeometry(toShape(board.slab_outline), {
      depth: THICKNESS - 0.06,
      bevelSize: 0.06,
      bevelThickness: 0.06,
      bevelSegments: 3,
    }),
    new MeshStandardMaterial({ color: palette.colour("slab-top"), roughness: 0.7 }),
  );
  slab.position.z = -THICKNESS - 0.012;
  slab.receiveShadow = true;
  const { decorations, labels } = board.map;
  const areas = decorations.map(({ role, polygon }) => buildArea(polygon.map(onPlane), palette.colour(toClassName(role))));
  const letters = labels.map(({ text, centre, height }) => {
    const size = LETTER_SCALE * height;
    const letter = new Mesh(new PlaneGeometry(size, size), letterMaterial(text, palette.text("name")));
    letter.position.set(...onPlane(centre), 0.012);
    return letter;
  });
  return [slab, ...areas, ...letters];
}

function buildArea(points: Point[], colour: Color): Mesh {
  const mesh = new Mesh(
    new ShapeGeometry(toShape(points)),
    new MeshStandardMaterial({ color: colour, roughness: 0.75, side: DoubleSide }),
  );
  mesh.position.z = -0.004;
  mesh.receiveShadow = true;
  return mesh;
}

function letterMaterial(text: string, ink: string, opacity = 1): MeshBasicMaterial {
  return new MeshBasicMaterial({ map: letterTexture(text, ink, 500), transparent: true, opacity, depthWrite: false });
}

/** A pale letter on a face, as on the map. */
function buildFaceLetter({ text, centre, up, size }: FaceLetter, palette: Palette): Mesh {
  const letter = new Mesh(new PlaneGeometry(size, size), letterMaterial(text, palette.text("name"), 0.3));
  letter.up.set(...up);
  letter.position.set(...centre);
  letter.lookAt(letter.position.clone().multiplyScalar(2));
  return letter;
}

/** A soft shadow below the board, seen from above only. */
function buildShadow(board: BoardView): Mesh {
  const points = boundingPoints(board);
  const radius = Math.max(...points.map((point) => Math.hypot(point.x, point.y)));
  const mesh = new Mesh(
    new PlaneGeometry(2.25 * radius, 2.25 * radius),
    new MeshBasicMaterial({
      map: shadowTexture(),
      transparent: true,
      depthWrite: false,
      toneMapped: false,
      opacity: lookOf(board).form === "flat" ? 0.55 : 1,
    }),
  );
  mesh.position.z = Math.min(...points.map((point) => point.z)) - 0.05;
  mesh.renderOrder = -1;
  return mesh;
}

function shadowTexture(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const pen = canvas.getContext("2d")!;
  const fade = pen.createRadialGradient(128, 128, 40, 128, 128, 128);
  fade.addColorStop(0, "rgba(0,0,0,0.3)");
  fade.addColorStop(0.55, "rgba(0,0,0,0.13)");
  fade.addColorStop(1, "rgba(0,0,0,0)");
  pen.fillStyle = fade;
  pen.fillRect(0, 0, 256, 256);
  return new CanvasTexture(canvas);
}
