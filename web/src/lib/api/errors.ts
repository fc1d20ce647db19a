/** Errors that the server answers with, or that stand for its silence. */
import type { ErrorView } from "./types";

export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: ErrorView["code"],
    message: string,
    readonly details: ErrorView["details"] = {},
  ) {
    super(message);
  }
}

export const isApiError = (error: unknown): error is ApiError => (error as Partial<Error> | null)?.name === "ApiError";

/** Return the server's code of an error, null for one of another kind. */
export const errorCode = (error: unknown): string | null => (isApiError(error) ? error.code : null);
