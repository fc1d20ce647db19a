/** The analysis board: a tree of moves, the position that the address names, and where the tree is kept. */
import { untrack } from "svelte";
import { createAnalysis, fetchAnalysis, updateAnalysis } from "../api/analyses";
import { fetchGame, fetchPosition, fetchPositions } from "../api/client";
import { errorCode } from "../api/errors";
import type { GameView, PositionRequest, PositionView } from "../api/types";
import { gameCatalog } from "../state/gameCatalog.svelte";
import { navigate, route } from "../state/router.svelte";
import { type AnalysisAddress, analysisUrl, parseAnalysisUrl } from "./analysisUrl";
import { type DeviceAnalysis, keepDeviceAnalysis, listDeviceAnalyses, type SavedVersion } from "./deviceAnalyses";
import {
  addMove,
  emptyTree,
  findLine,
  isEmptyTree,
  lineThrough,
  type MoveTree,
  movesTo,
  pathTo,
  ROOT,
  type TreePoint,
} from "./moveTree";

const KEEP_DELAY_MS = 300;
const PATH = "/analysis";
/** Where a tab notes which of the kept analyses is its own. */
const TAB_KEY = "ropewalk-analysis";

export class AnalysisBoard {
  tree = $state.raw<MoveTree | null>(null);
  /** The node that is shown. */
  at = $state(ROOT);
  name = $state("");
  /** Where the server keeps the tree. */
  saved = $state.raw<SavedVersion | null>(null);
  /** Whether the tree was changed since it was saved. */
  isChanged = $state(false);
  /** Whether the tree was saved elsewhere since it was read, so that it could not be saved. */
  isStale = $state(false);
  /** Whether this browser keeps the tree. */
  isKept = $state(true);
  error = $state.raw<unknown>(null);
  game = $state.raw<GameView | null>(null);
  readonly line = $derived.by<PositionRequest | null>(() =>
    this.tree ? { spec: this.tree.spec, position: this.tree.position ?? null, moves: movesTo(this.tree, this.at) } : null,
  );
  /** The address of the position for others, who cannot read what the server keeps for this user. */
  readonly sharedUrl = $derived.by(() => analysisUrl({ ...this.address, saved: null }));
  /** The position; until it is fetched, the one that was shown before. */
  readonly position = $derived.by<PositionView | null>(() => this.fetched?.position ?? null);
  /** Whether the position is that of the line. */
  readonly isReady = $derived.by(() => this.fetched !== null && this.fetched.line === this.line);
  private fetched = $state.raw<{ line: PositionRequest; position: PositionView } | null>(null);
  private key = "";
  private keptMs = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;

  /** Call it while a component is set up: it follows the address and fetches positions as long as the component lives. */
  constructor() {
    $effect(() => {
      void route.query;
      untrack(() => void this.follow().catch((error: unknown) => (this.error = error)));
    });
    $effect(() => this.fetch());
    $effect(() => {
      const keep = (): void => this.keepNow();
      addEventListener("pagehide", keep);
      return () => {
        removeEventListener("pagehide", keep);
        keep();
      };
    });
  }

  private get address(): AnalysisAddress {
    const { spec = null, position = null, moves = [] } = this.line ?? {};
    return { spec, position, moves, saved: this.saved?.id ?? null };
  }

  private fetch(): void {
    const { line } = this;
    if (!line) return;
    const wanted = line.spec;
    if (untrack(() => this.game)?.spec !== wanted)
      void fetchGame(wanted)
        .then((game) => {
          if (this.tree?.spec === wanted) this.game = game;
        })
        .catch((error: unknown) => (this.error = error));
    void fetchPosition(line)
      .then((position) => {
        if (line === this.line) this.fetched = { line, position };
      })
      .catch((error: unknown) => (this.error = error));
  }

  // The address

  /** Show what the address names: a node of the tree, a new line in it, or another tree. */
  private async follow(): Promise<void> {
    if (route.path !== PATH) return;
    const turn = ++this.turn;
    const address = parseAnalysisUrl(route.query);
    if (address.saved && address.saved !== this.saved?.id && (await this.openSaved(address.saved, address.moves, turn)))
      return;
    if (turn !== this.turn) return;
    const { tree } = this;
    const isHere = tree && address.spec === tree.spec && address.position === (tree.position ?? null);
    if (isHere && findLine(tree, address.moves) !== null) this.at = findLine(tree, address.moves)!;
    else if (isHere) this.put(await this.replay(tree, address.moves), turn);
    else await this.start(address, turn);
  }

  /** Begin with what this browser keeps, or with the address alone. */
  private async start(address: AnalysisAddress, turn: number): Promise<void> {
    this.keepNow();
    const kept = findKept(address);
    if (kept) {
      this.openKept(kept, address.spec ? address.moves : kept.moves);
      return;
    }
    this.leave();
    const spec = address.spec ?? (await defaultSpec());
    this.put(await this.replay(emptyTree(spec, address.position), address.moves), turn);
  }

  /** Add moves from the root; the server tells whose they are. */
  private async replay(tree: MoveTree, moves: readonly string[]): Promise<TreePoint> {
    const line = { spec: tree.spec, position: tree.position ?? null, moves: [...moves] };
    for (const wanted of [fetchGame(tree.spec), fetchPosition(line)]) wanted.catch(() => undefined); // needed next: see `fetch`
    const positions = await fetchPositions(line);
    let point: TreePoint = { tree: { ...tree, spec: positions[0]!.spec }, at: ROOT };
    moves.forEach((move, index) => {
      point = addMove(point.tree, point.at, positions[index]!.seat ?? 0, move);
    });
    return point;
  }

  private put(point: TreePoint, turn: number): void {
    if (turn !== this.turn) return;
    this.error = null;
    this.tree = point.tree;
    this.at = point.at;
    this.writeAddress();
  }

  private writeAddress({ replace = true } = {}): void {
    if (route.path === PATH) navigate(analysisUrl(this.address), { replace });
  }

  // Moves

  /** Show a node. */
  go(at: number): void {
    this.at = at;
    this.writeAddress();
  }

  /** Show the position after some moves of the line that is shown. */
  step(count: number): void {
    if (!this.tree) return;
    const line = [ROOT, ...lineThrough(this.tree, this.at)];
    this.go(line[Math.min(Math.max(0, count), line.length - 1)]!);
  }

  get ply(): number {
    return this.tree ? pathTo(this.tree, this.at).length : 0;
  }

  play(move: string): void {
    if (!this.tree || !this.isReady || this.position?.seat == null) return;
    const { tree, at } = addMove(this.tree, this.at, this.position.seat, move);
    this.change({ tree, at }, { replace: false });
  }

  /** Go through the line by the left and right arrow keys, unless something else uses them. */
  handleKey({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): void {
    const isUsed = (target as Partial<Element>).closest?.("input, textarea, select, [role=application]");
    if (isUsed || altKey || ctrlKey || metaKey) return;
    if (key === "ArrowLeft") this.step(this.ply - 1);
    else if (key === "ArrowRight") this.step(this.ply + 1);
  }

  /** Change the tree, or the node that is shown. */
  change({ tree, at }: TreePoint, { replace = true } = {}): void {
    if (tree !== this.tree) {
      this.tree = tree;
      this.isChanged = true;
      this.keepSoon();
    }
    this.at = at;
    this.writeAddress({ replace });
  }

  /** Begin another tree; the one before stays on this device. */
  begin(tree: MoveTree): void {
    this.leave();
    this.turn += 1; // what the address named before does not matter any more
    this.tree = tree;
    this.at = ROOT;
    this.isChanged = !isEmptyTree(tree);
    this.keepSoon();
    this.writeAddress({ replace: false });
  }

  private leave(): void {
    this.keepNow();
    this.useKey(newKey());
    this.keptMs = 0;
    this.name = "";
    this.saved = null;
    this.isChanged = this.isStale = false;
    this.error = null;
  }

  // Keeping

  private useKey(key: string): void {
    this.key = key;
    sessionStorage.setItem(TAB_KEY, key);
  }

  private keepSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keepNow(), KEEP_DELAY_MS);
  }

  /** Keep the tree in this browser. Where another tab has changed the entry, it becomes another one. */
  keepNow(): void {
    clearTimeout(this.timer);
    const { tree } = this;
    if (!tree || isEmptyTree(tree) || (!this.isChanged && !this.keptMs)) return;
    const entry = listDeviceAnalyses(localStorage).find(({ key }) => key === this.key);
    if (entry && entry.updatedMs !== this.keptMs) this.useKey(newKey());
    this.keptMs = Date.now();
    const { key, name, saved, isChanged, keptMs: updatedMs } = this;
    this.isKept = keepDeviceAnalysis(localStorage, {
      key,
      name,
      tree,
      moves: movesTo(tree, this.at),
      saved,
      isChanged,
      updatedMs,
    });
  }

  openKept(entry: DeviceAnalysis, moves: readonly string[] = entry.moves): void {
    this.leave();
    this.turn += 1;
    this.useKey(entry.key);
    this.keptMs = entry.updatedMs;
    this.tree = entry.tree;
    this.name = entry.name;
    this.saved = entry.saved;
    this.isChanged = entry.isChanged;
    this.at = findLine(entry.tree, moves) ?? ROOT;
    this.writeAddress();
  }

  /** Open a tree that the server keeps. Returns whether there is one. */
  async openSaved(id: string, moves: readonly string[] = [], turn?: number): Promise<boolean> {
    try {
      const found = await fetchAnalysis(id);
      if (turn !== undefined && turn !== this.turn) return true;
      this.leave();
      this.tree = found.tree;
      this.name = found.name;
      this.saved = { id: found.id, version: found.version };
      this.at = findLine(found.tree, moves) ?? ROOT;
      this.writeAddress();
      return true;
    } catch (error) {
      this.error = error;
      return false;
    }
  }

  /** Save the tree on the server under a name; this browser keeps it in any case. */
  async save(name: string, { asCopy = false } = {}): Promise<void> {
    const { tree } = this;
    if (!tree) return;
    this.name = name;
    this.isChanged = true;
    this.keepNow();
    if (asCopy) this.saved = null;
    try {
      const { saved } = this;
      const stored = saved ? await updateAnalysis(saved.id, saved.version, name, tree) : await createAnalysis(name, tree);
      this.saved = { id: stored.id, version: stored.version };
      this.isChanged = tree !== this.tree;
      this.isStale = false;
      this.error = null;
      this.keepNow();
      this.writeAddress();
    } catch (error) {
      this.isStale = errorCode(error) === "stale-version";
      this.error = this.isStale ? null : error;
    }
  }

  /** Forget where the server keeps the tree, after it was deleted there. */
  forgetSaved(id: string): void {
    if (this.saved?.id !== id) return;
    this.saved = null;
    this.isChanged = true;
    this.keepNow();
    this.writeAddress();
  }
}

/** Plain http has no random UUIDs. */
const newKey = (): string => `${Date.now()}-${Math.random()}`;

/** What this browser keeps of an address: that of this tab, or the newest one; a start position alone is nobody's. */
function findKept(address: AnalysisAddress): DeviceAnalysis | undefined {
  const own = sessionStorage.getItem(TAB_KEY);
  const entries = listDeviceAnalyses(localStorage);
  if (!address.spec) return entries.find(({ key }) => key === own) ?? entries[0];
  const fitting = entries.filter((entry) => contains(entry, address));
  return fitting.find(({ key }) => key === own) ?? (address.moves.length || address.position ? fitting[0] : undefined);
}

function contains({ tree }: DeviceAnalysis, { spec, position, moves }: AnalysisAddress): boolean {
  return tree.spec === spec && (tree.position ?? null) === position && findLine(tree, moves) !== null;
}

async function defaultSpec(): Promise<string> {
  await gameCatalog.load();
  const [first] = gameCatalog.newestFirst;
  if (!first) throw gameCatalog.error;
  return first.default_spec;
}
