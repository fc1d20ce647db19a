import { expect, it } from "vitest";
import boards from "../../../fixtures/boards.json";
import type { GameView } from "../api/types";
import { mapCells } from "./map/mapCells";
import { turnGame } from "./turnBoard";

const game = { spec: "liger-6", board: boards["liger-6"].board } as unknown as GameView;
const centre = (shown: GameView, cell: string): readonly number[] =>
  mapCells(shown.board)
    .get(cell)!
    .centre.map((part) => Math.round(1000 * part));

it("a turned board has every cell on the other side of the middle of its frame", () => {
  const opposite = turnGame(game);
  const { x, y, width, height } = game.board.map.box;
  const doubled = [2000 * x + 1000 * width, 2000 * y + 1000 * height];
  for (const cell of ["a1", "b2", "f6"])
    centre(opposite, cell).forEach((part, axis) => {
      expect(Math.abs(part + centre(game, cell)[axis]! - doubled[axis]!)).toBeLessThan(2);
    });
  expect(opposite.board.map.box).toEqual(game.board.map.box);
  expect(opposite.board.camera.yaw).toBe(game.board.camera.yaw + 180);
});

it("two turns are none, and the same object comes back", () => {
  const twice = turnGame(turnGame(game));
  expect(centre(twice, "a1")).toEqual(centre(game, "a1"));
  expect(turnGame(game)).toBe(turnGame(game));
});
