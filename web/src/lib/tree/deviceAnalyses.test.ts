import { beforeEach, expect, it } from "vitest";
import {
  type DeviceAnalysis,
  keepDeviceAnalysis,
  listDeviceAnalyses,
  MAX_ENTRIES,
  removeDeviceAnalysis,
} from "./deviceAnalyses";
import { emptyTree } from "./moveTree";

/** A storage with room for so many characters. */
class SmallStorage {
  private text: string | null = null;
  constructor(private readonly room: number) {}
  getItem(): string | null {
    return this.text;
  }
  setItem(_: string, text: string): void {
    if (text.length > this.room) throw new Error("full");
    this.text = text;
  }
}

const makeStorage = (room = 1e9): Storage => new SmallStorage(room) as unknown as Storage;
const entry = (key: string, updatedMs = 0): DeviceAnalysis => ({
  key,
  name: key,
  tree: emptyTree("tether-5"),
  moves: [],
  saved: null,
  isChanged: true,
  updatedMs,
});
let storage: Storage;
beforeEach(() => {
  storage = makeStorage();
});

it("keeps one entry for each key, the newest first", () => {
  for (const key of ["a", "b", "a"]) keepDeviceAnalysis(storage, entry(key));
  expect(listDeviceAnalyses(storage).map(({ key }) => key)).toEqual(["a", "b"]);
  removeDeviceAnalysis(storage, "a");
  expect(listDeviceAnalyses(storage).map(({ key }) => key)).toEqual(["b"]);
});

it("drops the oldest entries beyond the maximum", () => {
  for (let number = 0; number < MAX_ENTRIES + 3; number++) keepDeviceAnalysis(storage, entry(`${number}`));
  expect(listDeviceAnalyses(storage)).toHaveLength(MAX_ENTRIES);
  expect(listDeviceAnalyses(storage)[0]!.key).toBe(`${MAX_ENTRIES + 2}`);
});

it("drops the oldest entries where the browser has no room, and says so where there is none at all", () => {
  const size = JSON.stringify([entry("0")]).length;
  const small = makeStorage(3.5 * size);
  for (let number = 0; number < 6; number++) expect(keepDeviceAnalysis(small, entry(`${number}`))).toBe(true);
  expect(listDeviceAnalyses(small)[0]!.key).toBe("5");
  expect(keepDeviceAnalysis(makeStorage(10), entry("x"))).toBe(false);
});

it("takes damaged data for none", () => {
  storage.setItem("ropewalk-analyses", "{");
  expect(listDeviceAnalyses(storage)).toEqual([]);
});
