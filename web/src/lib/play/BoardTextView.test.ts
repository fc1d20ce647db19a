// @vitest-environment happy-dom
import "@testing-library/svelte/vitest";
import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import boards from "../../../fixtures/boards.json";
import type { GameView, PositionView } from "../api/types";
import { plainScene } from "../board/BoardScene";
import { preferences } from "../state/preferences.svelte";
import BoardTextView from "./BoardTextView.svelte";

const { board, position } = boards["tether-5"];
const game = { name: "Stones", spec: "stones", board, move_cells: {} } as unknown as GameView;
const shown = {
  ...(position as unknown as PositionView),
  territory: { red: ["a1", "b1"], blue: [] },
  scores: [{ kind: "territory", by_colour: { red: 2, blue: 0 }, target: 13 }],
};
const show = (moves: string[]) =>
  render(BoardTextView, {
    game,
    scene: plainScene(shown),
    line: { spec: "stones", position: null, moves },
    canMove: false,
    onmove: vi.fn(),
  });
const lines = (): string[] =>
  [...screen.getByTestId("summary").querySelectorAll("li")].map(({ textContent }) => textContent!.trim());

beforeEach(() => {
  preferences.language = "en";
});

it("the text view has the last move, the score and the territory", () => {
  show(["a1", "e5", "b1"]);
  expect(lines()).toEqual(["Last move: b1", "Territory: red 2, blue 0; 13 wins", "Territory of red: a1, b1"]);
});

it("the text view says that no move has been played", () => {
  show([]);
  expect(lines()[0]).toBe("No move has been played.");
});
