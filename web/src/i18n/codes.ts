/** What the texts of codes can name: as much as the server's answers contain today. */

/** An illegal move. */
export interface IllegalMoveParams {
  /** The last cell that the move names. */
  cell: string;
  /** The first cell that it names. */
  from: string;
  /** The colour of the piece on the first occupied cell of the witness; empty where it is unknown. */
  colour: string;
}

/** The end of a game by its rules. */
export interface OutcomeParams {
  winner: string;
  loser: string;
  /** The cells of the witness. */
  cells: readonly string[];
}

/** A request that the server rejects. */
export interface ErrorParams {
  /** After how many seconds to try again; null where the server does not say. */
  retrySeconds: number | null;
}
