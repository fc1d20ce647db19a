/** The links of invitations that were created in this browser: the server stores only their hashes. */
const PREFIX = "invitation ";
const MAX_STORED = 40;

/** Keep the token of an invitation; the oldest ones are dropped when there are too many. */
export function storeInvitation(matchId: string, token: string): void {
  const known = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  for (const key of known.slice(0, Math.max(0, known.length - MAX_STORED + 1))) localStorage.removeItem(key);
  localStorage.setItem(PREFIX + matchId, token);
}

export const findInvitation = (matchId: string): string | null => localStorage.getItem(PREFIX + matchId);

/** Forget an invitation that was accepted or withdrawn. */
export const dropInvitation = (matchId: string): void => localStorage.removeItem(PREFIX + matchId);
