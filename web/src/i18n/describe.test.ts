import { afterEach, describe, expect, it, vi } from "vitest";
import boards from "../../fixtures/boards.json";
import { ApiError } from "../lib/api/errors";
import type { Explanation, PositionView } from "../lib/api/types";
import { plainScene } from "../lib/board/BoardScene";
import { preferences } from "../lib/state/preferences.svelte";
import { describeCell, describeError, describeMove, describeOutcome, describePieces } from "./describe";

vi.mock("../lib/state/preferences.svelte", () => ({ preferences: { language: "en" } }));

const start = boards["tether-5"].position as unknown as PositionView;
const RED = { kind: "stone", colour: "red", letter: "" } as const;
const BLUE = { ...RED, colour: "blue" };
const position: PositionView = { ...start, pieces: { b2: [RED], c3: [BLUE] }, territory: { red: ["b2"] } };

afterEach(() => {
  preferences.language = "en";
});

describe("pieces", () => {
  it("are named by colour and kind, stacks from the bottom", () => {
    expect(describePieces([])).toBe("empty");
    expect(describePieces([RED])).toBe("red stone");
    expect(describePieces([RED, BLUE])).toBe("stack from the bottom: red stone, blue stone");
    preferences.language = "de";
    expect(describePieces([RED])).toBe("Stein in Rot");
  });
});

it("a cell lists its piece, its owner and its part in the move", () => {
  const scene = { ...plainScene(position, ["b2"]), selectable: new Set(["b2"]), selected: ["b2"] };
  expect(describeCell(scene, "b2")).toBe("b2: red stone; territory of red; selectable; selected; last move");
  expect(describeCell(scene, "a1")).toBe("a1: empty");
});

const explain = (more: Partial<Explanation>): Explanation => ({
  move: "c3",
  cells: ["c3"],
  legal: true,
  message: "",
  illegal: null,
  resulting_position: null,
  placed: [],
  removed: [],
  ...more,
});
const refuse = (reason: string, witness: string[]): Explanation =>
  explain({ legal: false, illegal: { reason, witness, message: "the server's words", rule: "" } });

describe("an illegal move", () => {
  it("is explained with its cell and the colour of its witness", () => {
    expect(describeMove(refuse("taken", ["c3"]), position)).toBe("c3 already has a blue stone.");
    expect(describeMove(refuse("surrounded", ["a1", "b2"]), position)).toContain("c3 is surrounded by red");
    preferences.language = "de";
    expect(describeMove(refuse("taken", ["c3"]), position)).toBe("Auf c3 liegt schon ein Stein in Blau.");
  });
  it("is explained by the server where the page does not know its reason", () => {
    expect(describeMove(refuse("unheard-of", []), position)).toBe("The server's words.");
  });
});

describe("a legal move", () => {
  const legal = explain({
    message: "red places on c4",
    move: "c4",
    placed: ["b2"],
    removed: ["c3"],
    resulting_position: { ...position, pieces: { b2: [RED] } },
  });
  it("is described by the server in English", () => {
    expect(describeMove(legal, position)).toBe("Red places on c4.");
  });
  it("is described by its cells in other languages", () => {
    preferences.language = "de";
    expect(describeMove(legal, position)).toBe("Zug c4; danach b2 (Stein in Rot); leer wird c3.");
  });
});

describe("an outcome", () => {
  const outcome = { winner: 1, reason: "cannot-move", witness: ["a1", "a2"], rule: "", message: "the server's words" };
  it("names winner, loser and cells", () => {
    expect(describeOutcome(outcome, ["white", "black"])).toBe("Black wins: white can move neither ring (a1, a2).");
    preferences.language = "de";
    expect(describeOutcome(outcome, ["white", "black"])).toContain("Schwarz gewinnt: Weiß kann keinen Ring");
  });
  it("may be a draw, or one that the page does not know", () => {
    expect(describeOutcome({ ...outcome, winner: null, reason: "repetition" }, ["white", "black"])).toMatch(/^Draw: /);
    expect(describeOutcome({ ...outcome, reason: "unheard-of" }, ["white", "black"])).toBe("The server's words.");
  });
});

describe("an error", () => {
  it("is described by its code", () => {
    expect(describeError(new ApiError("seat-taken", "x"))).toBe("The seat is already taken.");
    expect(describeError(new ApiError("too-many", "x", { retry_after: 2.2 }))).toBe("Too many requests; try again in 3 s.");
  });
  it("keeps the server's message where that says more", () => {
    expect(describeError(new ApiError("bad-spec", "rows must be at most 1"))).toBe("Rows must be at most 1.");
  });
  it("explains an illegal move", () => {
    const error = new ApiError("illegal-move", "x", { move: "a1", reason: "taken", witness: ["a1"] });
    expect(describeError(error)).toBe("a1 is occupied.");
  });
  it("may be anything", () => {
    expect(describeError(new Error("broken"))).toBe("broken");
    expect(describeError("gone")).toBe("gone");
  });
});
