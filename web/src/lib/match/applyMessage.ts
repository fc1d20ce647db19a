/** The match after a message of its socket: a pure reducer. */
import type { EventView, MatchMessage, MatchStateView, MatchView, PlayedMoveView } from "../api/types";

/** Return the match after a message; until the whole match is known, only a message that contains it has an effect. */
export function applyMessage(match: MatchView | null, message: MatchMessage): MatchView | null {
  if (message.type === "snapshot") return message.match;
  if (message.type === "error") return (message.details.match as MatchView | undefined) ?? match;
  if (!match) return null;
  if (message.type === "presence") return { ...match, presence: message.presence };
  if (message.type === "engine-status") return { ...match, state: { ...match.state, engine_status: message.engine_status } };
  return message.events && message.state ? applyEvents(match, message.events, message.state) : match;
}

/** Events that the match already contains have no effect: it may have been fetched while they were on their way. */
function applyEvents(match: MatchView, events: readonly EventView[], state: MatchStateView): MatchView {
  if (state.seq < match.state.seq) return match;
  const after = events.filter(({ seq }) => seq > match.state.seq).reduce(applyEvent, match);
  const seats = match.seats.map((seat) => ({ ...seat, colour: state.colours[seat.seat] ?? seat.colour }));
  return { ...after, seats, state };
}

function applyEvent(match: MatchView, event: EventView): MatchView {
  if (event.type === "move-played") return { ...match, moves: [...match.moves, toMove(event)] };
  if (event.type === "match-published") return { ...match, public: true };
  if (event.type === "takeback-accepted")
    return { ...match, moves: match.moves.filter(({ seq }) => seq < Number(event.data.event_seq)) };
  if (event.type === "chat-posted") return { ...match, chat: [...match.chat, event] };
  return match;
}

function toMove({ seq, seat, data, timestamp_ms }: EventView): PlayedMoveView {
  return { seq, seat: seat ?? 0, move: String(data.move), timestamp_ms };
}

/** Whether a message says that the players have taken their seats, which only the whole match names. */
export const startsMatch = (message: MatchMessage): boolean =>
  (message.type === "events" || message.type === "ack") &&
  (message.events ?? []).some(({ type }) => type === "match-started");
