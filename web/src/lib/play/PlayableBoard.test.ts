// @vitest-environment happy-dom
import "@testing-library/svelte/vitest";
import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import boards from "../../../fixtures/boards.json";
import { explainMove } from "../api/client";
import type { Explanation, GameView, PositionView } from "../api/types";
import { preferences } from "../state/preferences.svelte";
import PlayableBoard from "./PlayableBoard.svelte";

vi.mock("../api/client", () => ({ explainMove: vi.fn() }));

const STACKED = boards["liger-6"];
const MOVES = {
  "b2-a3": ["b2", "a3"],
  "b2-c3": ["b2", "c3"],
  "d2-c3": ["d2", "c3"],
  "d2=c3": ["d2", "c3"],
  "c1-d2": ["c1", "d2"],
};
const LEGAL = Object.keys(MOVES).filter((move) => move !== "c1-d2");
const stacked = { name: "Stacks", spec: "stacks", board: STACKED.board, move_cells: MOVES } as unknown as GameView;
const startOf = (fixture: { position: unknown }, moves: string[]): PositionView => ({
  ...(fixture.position as PositionView),
  moves,
});

const SINGLE = boards["tether-5"];
const single = {
  name: "Stones",
  spec: "stones",
  board: SINGLE.board,
  move_cells: { ...Object.fromEntries(SINGLE.board.cells.map(({ name }) => [name, [name]])), swap: [] },
} as unknown as GameView;

const explain = (move: string, more: Partial<Explanation> = {}): Explanation => ({
  move,
  cells: MOVES[move as keyof typeof MOVES] ?? [move],
  legal: true,
  message: `red plays ${move}`,
  illegal: null,
  resulting_position: null,
  placed: [],
  removed: [],
  ...more,
});

const onmove = vi.fn<(move: string) => void>();
const onrefused = vi.fn<(reason: string) => void>();

function show(game = stacked, position = startOf(STACKED, LEGAL), more: Record<string, unknown> = {}) {
  const line = { spec: game.spec, position: null, moves: [] };
  return render(PlayableBoard, { game, position, line, canMove: true, prompt: "Red to move", onmove, onrefused, ...more });
}
const cell = (name: string): Element => document.querySelector(`.touch [data-cell="${name}"]`)!;
const click = (name: string): Promise<boolean> => fireEvent.click(cell(name));
const touch = (name: string): Promise<boolean> =>
  fireEvent(cell(name), new PointerEvent("click", { bubbles: true, pointerType: "touch" }));
const map = (): HTMLElement => screen.getByRole("application");
const press = (key: string): Promise<boolean> => fireEvent.keyDown(map(), { key });
const cursor = (): string | null => document.querySelector(".board")!.getAttribute("data-cursor");
const told = (): string => screen.getByTestId("told").textContent!.replaceAll(/\s+/g, " ").trim();
const marked = (kind: string): number => document.querySelectorAll(`path.${kind}`).length;

beforeEach(() => {
  Object.assign(preferences, { language: "en", confirm: "never", views: "flat", text: false });
  vi.mocked(explainMove).mockReset();
  vi.mocked(explainMove).mockImplementation(async (_, move) => explain(move));
  onmove.mockClear();
  onrefused.mockClear();
});

it("a click while the position is loading is answered when it is there", async () => {
  const before = startOf(SINGLE, ["a1", "b2"]);
  const { rerender } = show(single, before, { isLoading: true });
  await click("a1");
  await click("c3");
  expect(onmove).not.toHaveBeenCalled();
  await rerender({ position: { ...before, text: "after", moves: ["c3"] }, isLoading: false });
  expect(onmove.mock.calls).toEqual([["c3"]]);
  await rerender({ position: { ...before, text: "later", moves: ["c3"] }, isLoading: false });
  expect(onmove).toHaveBeenCalledTimes(1);
});

it("clicks while the position is loading are answered in their order", async () => {
  const before = startOf(STACKED, LEGAL);
  const { rerender } = show(stacked, before, { isLoading: true });
  await click("b2");
  await click("b2"); // nothing has happened yet
  await click("c3");
  await rerender({ isLoading: false });
  expect(onmove.mock.calls).toEqual([["b2-c3"]]);
});

it("clicks after a move that is still to be made wait for its position", async () => {
  const before = startOf(SINGLE, ["a1", "b2"]);
  const { rerender } = show(single, before, { isLoading: true });
  onmove.mockImplementationOnce(
    (move) => void rerender({ line: { spec: "stones", position: null, moves: [move] }, isLoading: true }),
  );
  await click("a1");
  await click("b2");
  await rerender({ isLoading: false });
  expect(onmove.mock.calls).toEqual([["a1"]]);
  await rerender({ position: { ...before, text: "after", moves: ["b2"] }, isLoading: false });
  expect(onmove.mock.calls).toEqual([["a1"], ["b2"]]);
});

it("a click is forgotten when another line is shown before its position", async () => {
  const before = startOf(SINGLE, ["a1", "b2"]);
  const { rerender } = show(single, before, { isLoading: true });
  await click("a1");
  await rerender({ line: { spec: "stones", position: null, moves: ["c3"] }, isLoading: false });
  expect(onmove).not.toHaveBeenCalled();
});

describe("a move by two clicks", () => {
  it("selects the piece, shows its targets, and is played with the second click", async () => {
    show();
    await click("b2");
    expect(told()).toContain("From b2: select the target");
    expect([marked("picked"), marked("choosable")]).toEqual([1, 2]);
    expect(onmove).not.toHaveBeenCalled();
    await click("c3");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("b2-c3");
    expect(marked("picked")).toBe(0);
  });
  it("may change its mind: another piece is selected instead", async () => {
    show();
    await click("b2");
    await click("d2");
    expect(told()).toContain("From d2: select the target");
  });
  it("is cancelled by a second click on the same piece", async () => {
    show();
    await click("b2");
    await click("b2");
    expect(told()).toContain("Red to move");
    expect(onmove).not.toHaveBeenCalled();
  });
  it("asks which one where the cells name several moves", async () => {
    show();
    await click("d2");
    await click("c3");
    expect(told()).toContain("Which of these moves?");
    await fireEvent.click(screen.getByRole("button", { name: "d2=c3: both checkers" }));
    expect(onmove).toHaveBeenCalledExactlyOnceWith("d2=c3");
  });
  it("is forgotten when the position changes", async () => {
    const { rerender } = show();
    await click("b2");
    await rerender({ position: { ...startOf(STACKED, LEGAL), text: "another" } });
    expect(told()).toContain("Red to move");
    expect(marked("picked")).toBe(0);
  });
});

describe("a move by keys", () => {
  it("is made with arrow keys and Enter", async () => {
    show();
    await press("ArrowRight");
    expect(cursor()).toBe("b2"); // the first piece that can move
    await press("Enter");
    expect(told()).toContain("From b2: select the target");
    for (const [key, reached] of Object.entries({ ArrowDown: "a1", ArrowRight: "c1", ArrowUp: "c3" })) {
      await press(key);
      expect(cursor()).toBe(reached);
    }
    await press("Enter");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("b2-c3");
  });
  it("is played with space too, and every cell is described", async () => {
    show(single, startOf(SINGLE, ["c3", "a1"]));
    await press("ArrowDown");
    expect(screen.getByText("c3: empty; selectable")).toBeTruthy();
    await press(" ");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("c3");
  });
  it("is cancelled by Escape", async () => {
    show();
    await click("b2");
    await press("Escape");
    expect(told()).toContain("Red to move");
    expect(marked("picked")).toBe(0);
    await click("c3");
    expect(onmove).not.toHaveBeenCalled();
  });
});

describe("an illegal target", () => {
  it("is explained with the reason of the rules and the cells that show it", async () => {
    const illegal = { reason: "not-yours", message: "", witness: ["c1", "d2"], rule: "" };
    vi.mocked(explainMove).mockResolvedValue(explain("c1-d2", { legal: false, illegal }));
    show();
    await click("c1");
    await tick();
    await vi.waitFor(() => expect(told()).toContain("The top checker on c1 is your opponent’s."));
    expect([marked("refused"), marked("reason")]).toEqual([1, 2]);
    expect(onrefused).toHaveBeenCalledExactlyOnceWith("not-yours");
    expect(onmove).not.toHaveBeenCalled();
  });
  it("is named at least where no move leads there at all", async () => {
    show();
    await click("b2");
    await click("f6");
    expect(told()).toContain("f6 is not next to b2; a move goes to a neighbouring cell");
    expect(explainMove).not.toHaveBeenCalled();
  });
  it("leaves the piece selected, and is not taken for a move of another piece", async () => {
    show();
    await click("b2");
    await click("c1");
    expect(told()).toContain("From b2: select the target");
    expect(told()).toContain("No legal move from b2 to c1");
    expect([marked("picked"), marked("refused")]).toEqual([1, 1]);
    expect(explainMove).not.toHaveBeenCalled();
    await click("c3");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("b2-c3");
  });
  it("is forgotten when the pointer is over a cell that can be selected", async () => {
    show(single, startOf(SINGLE, ["c3"]));
    await click("a1");
    expect(told()).toContain("No legal move to a1");
    await fireEvent.pointerMove(cell("c3"));
    await vi.waitFor(() => expect(told()).toContain("Red plays c3."));
    expect(marked("refused")).toBe(0);
  });
  it("is a success where the visitor was asked for it", async () => {
    const { rerender } = show(single, startOf(SINGLE, ["c3"]));
    await click("a1");
    expect(told()).toContain("✕");
    await rerender({ expectsRefusal: true, canMove: false });
    expect(told()).toContain("✓ No legal move to a1");
    expect(document.querySelector(".bar.alert")).toBeNull();
  });
  it("is named also when the server does not answer", async () => {
    vi.mocked(explainMove).mockRejectedValue(new Error("offline"));
    show();
    await click("c1");
    expect(told()).toContain("No legal move to c1");
  });
  it("is forgotten by Escape and by the next selection", async () => {
    show();
    await click("f6");
    await press("Escape");
    expect(told()).toBe("Red to move");
    await click("f6");
    await click("b2");
    expect(told()).not.toContain("No legal move");
  });
});

describe("hints", () => {
  it("are not painted while a move waits to be confirmed", async () => {
    preferences.confirm = "always";
    show(single, startOf(SINGLE, ["c3", "a1"]));
    await click("c3");
    expect([marked("picked"), marked("choosable")]).toEqual([1, 0]);
  });
  it("show pieces that can move, unless that is most of the board", async () => {
    const { rerender } = show();
    expect(marked("choosable")).toBe(2);
    const cells = STACKED.board.cells.map(({ name }) => name);
    const anywhere = { ...stacked, move_cells: Object.fromEntries(cells.map((name) => [name, [name]])) };
    await rerender({ game: anywhere, position: startOf(STACKED, cells) });
    expect(marked("choosable")).toBe(0);
  });
});

it("both moves of the last turn are marked", () => {
  show(stacked, startOf(STACKED, LEGAL), { last: ["d4"], earlier: [["b2", "a3"]] });
  expect([marked("last"), marked("from")]).toEqual([3, 1]);
});

it("the piece to place is shown, and the scores are told", () => {
  const ring = { kind: "disc" as const, colour: "purple disc", letter: "p" };
  const score = { kind: "territory", by_colour: { red: 9, blue: 4 }, target: 13 };
  const position = { ...startOf(STACKED, ["/c3"]), pieces_in_hand: { red: [ring] }, scores: [score] };
  const placing = { ...stacked, move_cells: { "/c3": ["c3"] } } as unknown as GameView;
  show(placing, position);
  expect(document.querySelectorAll(".bar > svg").length).toBe(1);
  expect(screen.getByTestId("scores").textContent).toBe("Territory: red 9, blue 4; 13 wins");
});

describe("a confirmation", () => {
  it("is asked for on touch screens: the move is shown, then played or cancelled", async () => {
    preferences.confirm = "touch";
    show(single, startOf(SINGLE, ["c3", "a1"]));
    await touch("c3");
    await vi.waitFor(() => expect(told()).toContain("Red plays c3."));
    expect(onmove).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByTestId("confirm")).toBeNull();
    await touch("a1");
    await fireEvent.click(screen.getByTestId("confirm"));
    expect(onmove).toHaveBeenCalledExactlyOnceWith("a1");
  });
  it("may be a second tap on the same cell", async () => {
    preferences.confirm = "always";
    show(single, startOf(SINGLE, ["c3", "a1"]));
    await click("c3");
    await click("c3");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("c3");
  });
  it("is not asked for with a mouse", async () => {
    preferences.confirm = "touch";
    show(single, startOf(SINGLE, ["c3", "a1"]));
    await click("c3");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("c3");
  });
});

it("the move under the pointer is shown before it is played", async () => {
  show(single, startOf(SINGLE, ["c3"]));
  await fireEvent.pointerMove(cell("c3"));
  await vi.waitFor(() => expect(told()).toContain("Red plays c3."));
  await fireEvent.pointerLeave(document.querySelector("svg.flat")!);
  expect(told()).toBe("Red to move");
});

it("a move without cells has a button", async () => {
  show(single, startOf(SINGLE, ["c3", "swap"]));
  await fireEvent.click(within(document.querySelector<HTMLElement>(".bar")!).getByRole("button", { name: "Swap colours" }));
  expect(onmove).toHaveBeenCalledExactlyOnceWith("swap");
});

it("nothing can be selected while it is not one's turn, and a click is answered", async () => {
  show(single, startOf(SINGLE, ["c3", "swap"]), { canMove: false, waitingText: "It is not your turn" });
  await click("c3");
  expect(told()).toBe("Red to move It is not your turn");
  await press("Enter");
  expect(onmove).not.toHaveBeenCalled();
  expect(screen.queryByRole("button", { name: "Swap colours" })).toBeNull();
});
