import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import type { PositionView, PuzzleAttemptView, PuzzleMoveResponse, PuzzleView } from "../api/types";
import { PuzzleStore } from "./puzzleStore.svelte";

const api = vi.hoisted(() => ({
  fetchPuzzle: vi.fn(),
  playPuzzleMove: vi.fn(),
  fetchPuzzleHint: vi.fn(),
  restartPuzzle: vi.fn(),
  fetchPuzzleSolution: vi.fn(),
}));
vi.mock("../api/client", () => api);

const position = (text: string): PositionView => ({ text, seat: 0 }) as PositionView;
const ATTEMPT: PuzzleAttemptView = {
  number: 1,
  moves: [],
  position: position("start"),
  mistakes: 0,
  hint_stage: 0,
  is_solved: false,
  score: null,
  rating_change: null,
  solution: null,
};
const VIEW = { puzzle: { spec: "tether-7" }, position: position("start"), attempt: ATTEMPT } as PuzzleView;
const SOLUTION = { winning_moves: ["g5"], main_line: ["g5", "b1", "c4"] };

function respond(verdict: PuzzleMoveResponse["verdict"], attempt: Partial<PuzzleAttemptView>): void {
  const refuted = verdict === "losing" ? position("refuted") : null;
  const response = { move: "g5", verdict, answers: ["b1"], refuted, attempt: { ...ATTEMPT, ...attempt } };
  api.playPuzzleMove.mockResolvedValueOnce(response);
}

let store: PuzzleStore;
beforeEach(async () => {
  vi.resetAllMocks();
  api.fetchPuzzle.mockResolvedValue(VIEW);
  store = new PuzzleStore("tether-63b5ad36");
  await store.load();
});

it("continues after a winning move with the defence", async () => {
  respond("winning", { moves: ["g5", "b1"], position: position("after") });
  await store.play("g5");
  expect(api.playPuzzleMove).toHaveBeenCalledWith("tether-63b5ad36", "g5", 0);
  expect([store.position?.text, store.canMove, store.line.moves]).toEqual(["after", true, ["g5", "b1"]]);
});

it("shows the refutation of a losing move until the visitor tries again", async () => {
  respond("losing", { mistakes: 1 });
  await store.play("g5");
  expect([store.position?.text, store.canMove, store.line.moves]).toEqual(["refuted", false, ["g5", "b1"]]);
  store.retry();
  expect([store.position?.text, store.canMove, store.line.moves]).toEqual(["start", true, []]);
});

it("shows the solution move by move, within its ends", async () => {
  api.fetchPuzzleSolution.mockResolvedValueOnce({ ...ATTEMPT, solution: SOLUTION });
  await store.giveUp();
  expect([store.isOver, store.canMove, store.solutionPly]).toEqual([true, false, 0]);
  store.showSolution(2);
  expect([store.position, store.line.moves]).toEqual([null, ["g5", "b1"]]);
  store.showSolution(9);
  expect(store.solutionPly).toBe(3);
});

it("loads the puzzle again when it was continued elsewhere", async () => {
  api.playPuzzleMove.mockRejectedValueOnce(new ApiError("stale", "continued elsewhere"));
  await store.play("g5");
  expect(api.fetchPuzzle).toHaveBeenCalledTimes(2);
  expect([(store.error as ApiError).code, store.isBusy]).toEqual(["stale", false]);
});
