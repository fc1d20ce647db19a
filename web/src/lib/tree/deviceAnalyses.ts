/** Analyses that are kept in this browser: the newest first, each tab with an entry of its own. */
import type { AnalysisSummary } from "../api/types";
import type { MoveTree } from "./moveTree";

/** Where the server keeps an analysis, and the version that is known here. */
export type SavedVersion = Pick<AnalysisSummary, "id" | "version">;

export interface DeviceAnalysis {
  /** Of the tab that keeps it. */
  key: string;
  name: string;
  tree: MoveTree;
  /** The moves to the position that was shown. */
  moves: readonly string[];
  /** Where the server keeps it, null where it does not. */
  saved: SavedVersion | null;
  /** Whether it was changed since it was saved. */
  isChanged: boolean;
  updatedMs: number;
}

const STORAGE_KEY = "ropewalk-analyses";
export const MAX_ENTRIES = 20;

export function listDeviceAnalyses(storage: Storage): readonly DeviceAnalysis[] {
  try {
    const found = JSON.parse(storage.getItem(STORAGE_KEY) ?? "[]") as DeviceAnalysis[];
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** Keep an analysis in place of the one with the same key; the oldest ones go where there is no room. Returns whether it is kept. */
export function keepDeviceAnalysis(storage: Storage, entry: DeviceAnalysis): boolean {
  const others = listDeviceAnalyses(storage).filter(({ key }) => key !== entry.key);
  for (let count = MAX_ENTRIES; count > 0; count = Math.floor(count / 2))
    if (store(storage, [entry, ...others].slice(0, count))) return true;
  return false;
}

export function removeDeviceAnalysis(storage: Storage, removed: string): void {
  store(
    storage,
    listDeviceAnalyses(storage).filter(({ key }) => key !== removed),
  );
}

function store(storage: Storage, entries: readonly DeviceAnalysis[]): boolean {
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify(entries));
    return true;
  } catch {
    return false; // the browser has no room, or allows no storage
  }
}
