/** What a board stands on or has between its cells: slabs, sides, light squares, letters, a soft shadow. */
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
  Vector3,
} from "three";
import type { BoardView, Point } from "../../api/types";
import { convexHull, offsetPolygon } from "../geometry2d";
import { furnitureOf } from "../map/mapDecorations";
import { mapLayout } from "../map/mapLayout";
import { toClassName } from "../pieceStyle";
import type { Palette } from "./palette";
import { letterTexture } from "./pieceMeshes";

const THICK = 0.5;

const shapeOf = (points: Point[]): Shape => {
  const shape = new Shape();
  for (const [number, [x, y]] of points.entries()) number ? shape.lineTo(x, -y) : shape.moveTo(x, -y);
  return shape;
};

export function furnitureGroup(board: BoardView, palette: Palette): Group {
  const group = new Group();
  if (board.views.includes("table")) group.add(...tableParts(board, palette));
  if (board.kind === "cube") group.add(...faceLetters(board, palette));
  group.add(softShadow(board));
  return group;
}

/** The points that must stay in sight. */
export function reachOf(board: BoardView): Vector3[] {
  const corners = board.cells.flatMap((cell) => cell.outline.map((point) => new Vector3(...point)));
  if (board.views.includes("table")) {
    return slabOutline(board).flatMap(([x, y]) => [new Vector3(x, -y, 0.35), new Vector3(x, -y, -THICK)]);
  }
  const radius = Math.max(...corners.map((point) => Math.hypot(point.x, point.y)));
  const heights = corners.map((point) => point.z);
  const angles = [...Array(24).keys()].map((number) => (number * Math.PI) / 12);
  return [Math.min(...heights), Math.max(...heights)].flatMap((z) =>
    angles.map((angle) => new Vector3((radius + 0.2) * Math.cos(angle), (radius + 0.2) * Math.sin(angle), z)),
  );
}

function slabOutline(board: BoardView): Point[] {
  const map = mapLayout(board);
  const points = [
    ...map.cells.flatMap((cell) => cell.polygons.flat()),
    ...furnitureOf(board, map.cells).flatMap((item) => item.points),
  ];
  return offsetPolygon(convexHull(points), 0.75);
}

function tableParts(board: BoardView, palette: Palette): Mesh[] {
  const slab = new Mesh(
    new ExtrudeGeometry(shapeOf(slabOutline(board)), {
      depth: THICK - 0.06,
      bevelSize: 0.06,
      bevelThickness: 0.06,
      bevelSegments: 3,
    }),
    new MeshStandardMaterial({ color: palette.colour("slab-top"), roughness: 0.7 }),
  );
  slab.position.z = -THICK - 0.012;
  slab.receiveShadow = true;
  const map = mapLayout(board);
  const flats = furnitureOf(board, map.cells).map(({ role, points }) => flat(points, palette.colour(toClassName(role))));
  const letters = map.labels.map(({ text, at, size }) => {
    const letter = new Mesh(new PlaneGeometry(1.5 * size, 1.5 * size), lettering(text, palette.text("name")));
    letter.position.set(at[0], -at[1], 0.012);
    return letter;
  });
  return [slab, ...flats, ...letters];
}

function flat(points: Point[], colour: Color): Mesh {
  const mesh = new Mesh(
    new ShapeGeometry(shapeOf(points)),
    new MeshStandardMaterial({ color: colour, roughness: 0.75, side: DoubleSide }),
  );
  mesh.position.z = -0.004;
  mesh.receiveShadow = true;
  return mesh;
}

function lettering(text: string, ink: string, opacity = 1): MeshBasicMaterial {
  return new MeshBasicMaterial({ map: letterTexture(text, ink, 500), transparent: true, opacity, depthWrite: false });
}

/** The letters of the faces, pale, as on the net. */
function faceLetters(board: BoardView, palette: Palette): Mesh[] {
  const half = board.size[0]! / 2;
  const ways: [string, [number, number, number], [number, number, number]][] = [
    ["U", [0, 0, 1], [0, 1, 0]],
    ["D", [0, 0, -1], [0, -1, 0]],
    ["F", [0, -1, 0], [0, 0, 1]],
    ["B", [0, 1, 0], [0, 0, 1]],
    ["L", [-1, 0, 0], [0, 0, 1]],
    ["R", [1, 0, 0], [0, 0, 1]],
  ];
  return ways.map(([text, out, up]) => {
    const letter = new Mesh(new PlaneGeometry(1.3 * half, 1.3 * half), lettering(text, palette.text("name"), 0.3));
    letter.up.set(...up);
    letter.position.set(...out).multiplyScalar(half + 0.008);
    letter.lookAt(letter.position.clone().multiplyScalar(2));
    return letter;
  });
}

/** A soft shadow below the board, seen from above only. */
function softShadow(board: BoardView): Mesh {
  const reach = reachOf(board);
  const radius = Math.max(...reach.map((point) => Math.hypot(point.x, point.y)));
  const mesh = new Mesh(
    new PlaneGeometry(2.25 * radius, 2.25 * radius),
    new MeshBasicMaterial({
      map: shadowTexture(),
      transparent: true,
      depthWrite: false,
      toneMapped: false,
      opacity: board.views.includes("table") ? 0.55 : 1,
    }),
  );
  mesh.position.z = Math.min(...reach.map((point) => point.z)) - 0.05;
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
