/** The current user: nobody before the first match, then a guest or an account. */
import { fetchCurrentUser, logIn, logOut, register } from "../api/client";
import type { MatchSummary, UserView } from "../api/types";

class Session {
  user = $state.raw<UserView | null>(null);

  /** Fetch the current user again: a first match creates a guest. */
  async load(): Promise<void> {
    await this.update(fetchCurrentUser()).catch(() => undefined);
  }

  register(name: string, password: string): Promise<void> {
    return this.update(register({ name, password }));
  }

  logIn(name: string, password: string): Promise<void> {
    return this.update(logIn({ name, password }));
  }

  logOut(): Promise<void> {
    return this.update(logOut());
  }

  isPlayerOf(match: MatchSummary): boolean {
    return match.seats.some((user) => user !== null && user.id === this.user?.id);
  }

  private async update(answer: Promise<{ user: UserView | null }>): Promise<void> {
    this.user = (await answer).user;
  }
}

export const session = new Session();
