/** The match after a message of its socket: a pure reducer. */
import type { EventView, MatchView, Now, Presence, StepView } from "../api/types";

export type MatchMessage =
  | { type: "state"; match: MatchView }
  | { type: "events"; events: EventView[]; now: Now }
  | { type: "presence"; present: Presence }
  | { type: "bot"; bot: string | null }
  | { type: "done"; id: string | null; events?: EventView[]; now?: Now }
  | { type: "refused"; id: string | null; code: string; message: string; state?: MatchView };

/** Return the match after a message; until the whole match is known, only a message that contains it has an effect. */
export function applyMessage(match: MatchView | null, message: MatchMessage): MatchView | null {
  if (message.type === "state") return message.match;
  if (message.type === "refused") return message.state ?? match;
  if (!match) return null;
  if (message.type === "presence") return { ...match, present: message.present };
  if (message.type === "bot") return { ...match, now: { ...match.now, bot: message.bot } };
  return message.events && message.now ? applyEvents(match, message.events, message.now) : match;
}

/** Events that the match already contains have no effect: it may have been fetched while they were on their way. */
function applyEvents(match: MatchView, events: readonly EventView[], now: Now): MatchView {
  if (now.number < match.now.number) return match;
  const after = events.filter(({ number }) => number > match.now.number).reduce(applyEvent, match);
  const seats = match.seats.map((seat) => ({ ...seat, colour: now.colours[seat.seat] ?? seat.colour }));
  return { ...after, seats, now };
}

function applyEvent(match: MatchView, event: EventView): MatchView {
  if (event.kind === "step") return { ...match, steps: [...match.steps, toStep(event)] };
  if (event.kind === "takeback-accepted")
    return { ...match, steps: match.steps.filter(({ number }) => number < Number(event.data.of)) };
  if (event.kind === "chat") return { ...match, chat: [...match.chat, event] };
  return match;
}

function toStep(event: EventView): StepView {
  return { number: event.number, seat: event.seat ?? 0, move: String(event.data.move), at: event.at };
}

/** Whether a message says that the players have taken their seats, which only the whole match names. */
export const startsMatch = (message: MatchMessage): boolean =>
  (message.type === "events" || message.type === "done") && (message.events ?? []).some(({ kind }) => kind === "begin");
