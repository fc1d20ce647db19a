/** The surface of a cube, on which cells are folded over edges and corners. */
import type { BoardView, Cell, Point3 } from "../../api/types";
import type { BoardLook, FaceLetter, Placement } from "./BoardLook";
import { boardSize, plainLook, SOLID_LIMITS, sideNormals, sumOf } from "./plain";

export const cubeLook: BoardLook = {
  ...plainLook,
  form: "solid",
  cameraLimits: SOLID_LIMITS,
  groundOffset: 0,
  placement: foldedPlacement,
  faceLetters,
};

/** Pieces of a folded cell stand between its faces, each counted once. */
function foldedPlacement(_: BoardView, cell: Cell): Placement {
  const faces = new Map(sideNormals(cell).map((normal) => [normal.map(Math.round).join(), normal]));
  return { normal: sumOf([...faces.values()]), folded: faces.size > 1 };
}

/** The letters of the faces, as on the map. */
function faceLetters(board: BoardView): FaceLetter[] {
  const half = boardSize(board) / 2;
  const directions: [string, Point3, Point3][] = [
    ["U", [0, 0, 1], [0, 1, 0]],
    ["D", [0, 0, -1], [0, -1, 0]],
    ["F", [0, -1, 0], [0, 0, 1]],
    ["B", [0, 1, 0], [0, 0, 1]],
    ["L", [-1, 0, 0], [0, 0, 1]],
    ["R", [1, 0, 0], [0, 0, 1]],
  ];
  return directions.map(([text, normal, up]) => {
    const centre = normal.map((part) => part * (half + 0.008)) as Point3;
    return { text, centre, normal, up, size: 1.3 * half };
  });
}
