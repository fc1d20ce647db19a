/** A flat board turned by half a turn, for the player who sits opposite: its map and the side from which the camera looks. */
import type { BoardView, GameView, MapLayout, Point } from "../api/types";

type Turn = (point: Point) => Point;

const turned = new WeakMap<GameView, GameView>();

/** Return a game with its board turned; every call returns the same object, so that drawings of the board are cached. */
export function turnGame(game: GameView): GameView {
  const known = turned.get(game) ?? { ...game, board: turnBoard(game.board) };
  turned.set(game, known);
  return known;
}

function turnBoard(board: BoardView): BoardView {
  return { ...board, map: turnMap(board.map), camera: { ...board.camera, yaw: board.camera.yaw + 180 } };
}

function turnMap(map: MapLayout): MapLayout {
  const [width, height] = [2 * map.box.x + map.box.width, 2 * map.box.y + map.box.height];
  const turn: Turn = ([x, y]) => [width - x, height - y];
  const turnBox = (box: MapLayout["box"]): MapLayout["box"] => {
    const [x, y] = turn([box.x + box.width, box.y + box.height]);
    return { ...box, x, y };
  };
  return {
    ...map,
    box: turnBox(map.box),
    inner_box: turnBox(map.inner_box),
    cells: map.cells.map((cell) => ({
      ...cell,
      polygons: cell.polygons.map((polygon) => polygon.map(turn)),
      placements: cell.placements.map((placement) => ({ ...placement, centre: turn(placement.centre) })),
    })),
    decorations: map.decorations.map((item) => ({ ...item, polygon: item.polygon.map(turn) })),
    lines: map.lines.map((line) => ({ ...line, points: line.points.map(turn) })),
    labels: map.labels.map((label) => ({ ...label, centre: turn(label.centre) })),
  };
}
