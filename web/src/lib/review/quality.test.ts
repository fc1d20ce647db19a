import { expect, it } from "vitest";
import { countQualities, isFault } from "./quality";

it("counts the moves of each quality by seat", () => {
  const reviewed = [
    { ply: 1, loss: 0, quality: "best" as const },
    { ply: 2, loss: 0.3, quality: "blunder" as const },
    { ply: 4, loss: 0.2, quality: "blunder" as const },
  ];
  const counts = countQualities([0, 1, 0, 1], reviewed);
  expect([counts.best, counts.blunder, counts.good]).toEqual([
    [1, 0],
    [0, 2],
    [0, 0],
  ]);
});

it("tells faults from other moves", () => {
  expect([isFault("good"), isFault("inaccuracy"), isFault(undefined)]).toEqual([false, true, false]);
});
