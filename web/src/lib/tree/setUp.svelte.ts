/** A position that is set up by hand; the server checks every change by the rules. */
import { editPosition } from "../api/analyses";
import type { EditRequest, GameView, PositionView } from "../api/types";

export class SetUp {
  position = $state.raw<PositionView>(null as never); // the constructor sets it
  /** The piece that is put on the next cell; empty: the topmost is taken away. */
  symbol = $state("");
  error = $state.raw<unknown>(null);
  private pending: Promise<void> = Promise.resolve();

  constructor(
    readonly game: GameView,
    start: PositionView,
  ) {
    this.position = start;
    this.symbol = Object.keys(game.setup_pieces)[0] ?? "";
  }

  /** The colour to move, which every position text names after the cells. */
  get colour(): string {
    return this.position.text.split(" ")[1] ?? "";
  }

  /** Put the chosen piece on a cell. In games without stacks, a piece of the same kind is taken away again. */
  choose(cell: string): void {
    const wanted = this.game.setup_pieces[this.symbol];
    const [only, ...more] = this.position.pieces[cell] ?? [];
    const isSame = wanted?.kind === "stone" && !more.length && only?.colour === wanted.colour;
    this.change({ pieces: { [cell]: isSame ? "" : this.symbol } });
  }

  /** Change the position, after the changes before. */
  change(change: Partial<Pick<EditRequest, "pieces" | "colour" | "cleared">>): void {
    this.pending = this.pending.then(() => this.request(change));
  }

  private async request(change: Partial<EditRequest>): Promise<void> {
    try {
      const { text, spec } = this.position;
      this.position = await editPosition({
        spec,
        position: text,
        moves: [],
        pieces: {},
        colour: null,
        cleared: false,
        ...change,
      });
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }
}
