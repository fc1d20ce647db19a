/** Texts of the server's codes: illegal moves, ends of games, rejected requests. */
import type { ErrorParams, IllegalMoveParams, OutcomeParams } from "../codes";
import { format } from "./format";

type Cells = IllegalMoveParams;

export const illegalMoves = {
  over: () => "The game is over",
  taken: ({ cell, colour }: Cells) => (colour ? `${cell} already has a ${colour} stone` : `${cell} is occupied`),
  corner: ({ cell }: Cells) => `${cell} is a corner cell; corner cells are not used in this game`,
  swapped: () => "The colours have already been swapped",
  "nothing-to-swap": () => "There is no stone yet; the swap is an answer to the first stone",
  "too-late-to-swap": () => "Too late: the swap is only possible as the answer to the first stone",
  surrounded: ({ cell, colour }: Cells) => `${cell} is surrounded${colour && ` by ${colour}`}; no stone may be placed there`,
  "wrong-step": () => "Another kind of move is required now",
  "same-space": ({ cell }: Cells) => `${cell} is already selected; a swap needs two different spaces`,
  "no-ring": ({ from }: Cells) => `You have no ring on ${from}`,
  "off-board": ({ from }: Cells) => `This move from ${from} leaves the board`,
  occupied: ({ cell }: Cells) => `${cell} has a ring on it`,
  "no-disc": ({ cell }: Cells) => `${cell} has no disc left`,
  "not-free": ({ cell }: Cells) => `The colour of ${cell} is not free: your opponent controls it`,
  "two-discs": ({ cell }: Cells) => `${cell} already has two discs`,
  "same-colour": ({ cell }: Cells) => `The disc on ${cell} has the same colour; it must be another one`,
  empty: ({ from }: Cells) => `${from} is empty`,
  "not-yours": ({ from }: Cells) => `The top checker on ${from} is your opponent’s`,
  "not-farthest-row": ({ from }: Cells) => `${from} is not on your farthest row; checkers leave the board only from there`,
  "no-two-stack": ({ from }: Cells) =>
    `Two checkers move together only when an opposing one is directly below yours, and ${from} has none`,
  "two-stack-backward": () => "Only a single checker moves backward",
  "not-fewer": () => "A backward move is only possible when you show fewer checkers than your opponent",
  "not-alone": ({ from }: Cells) => `Only a checker that is alone on its square moves backward, and ${from} has a stack`,
  "no-checker-to-cover": ({ cell }: Cells) => `A backward move must end on an opposing checker, and ${cell} shows none`,
};

export const outcomes = {
  "holds-centre": ({ winner, cells }: OutcomeParams) =>
    `${winner} wins: a group of ${format.count(cells.length, { one: "stone", other: "stones" })} connects the centre with the edge`,
  "ropes-off-centre": ({ winner, cells }: OutcomeParams) =>
    `${winner} wins: a group of ${format.count(cells.length, { one: "stone", other: "stones" })} separates the centre from the edge`,
  "isolates-nuclear-cells": ({ winner, cells }: OutcomeParams) =>
    `${winner} wins: a group of ${format.count(cells.length, { one: "stone", other: "stones" })} separates the three nuclear cells`,
  majority: ({ winner, cells }: OutcomeParams) =>
    `${winner} wins: a territory of ${format.count(cells.length, { one: "cell", other: "cells" })}, more than half of the board`,
  "cannot-move": ({ winner, loser, cells }: OutcomeParams) =>
    `${winner} wins: ${loser} can move neither ring (${cells.join(", ")})`,
  "borne-off": ({ winner }: OutcomeParams) => `${winner} wins: all its checkers are off the board`,
  "no-checker-left": ({ winner, loser }: OutcomeParams) => `${winner} wins: ${loser} left it no showing checker`,
  repetition: () => "Draw: the position has occurred for the third time",
};

/** Codes without a text here come with a message that says more than their code. */
export const errors = {
  "no-session": () => "You have no account or guest name yet",
  "wrong-password": () => "Wrong name or password",
  "forbidden-origin": () => "The request came from another site",
  "not-your-match": () => "You are not a player of this match",
  "not-your-turn": () => "It is not your turn",
  "not-found": () => "This does not exist",
  stale: () => "The position has changed in the meantime",
  "not-playing": () => "The match has not started, or is over",
  "stale-version": () => "The analysis was changed elsewhere",
  "still-playing": () => "A match can be reviewed when it is over",
  "game-over": () => "The game is over in this position",
  "seat-taken": () => "The seat is already taken",
  "name-taken": () => "This name is already taken",
  "no-such-offer": () => "The offer does not exist any more",
  "already-public": () => "This match is public already",
  "no-draws": () => "This game has no draws",
  "no-takebacks": () => "Rated matches against bots and matches of tournaments have no takebacks",
  "no-aborts": () => "A match of a tournament cannot be aborted; resign instead",
  "already-joined": () => "You take part in this tournament already",
  "registration-closed": () => "The registration for this tournament has ended",
  "tournament-over": () => "The tournament is over",
  "too-few-players": () => "A tournament needs at least two players",
  "not-organiser": () => "Only the organiser of the tournament may do this",
  "not-invited": () => "This tournament can be joined only with the link of its organiser",
  "account-needed": () => "This needs an account; register first",
  "account-closed": () => "This account is closed",
  muted: () => "An operator of this server has muted you; you can play, but not write",
  blocked: () => "One of you has blocked the other",
  "too-late": () => "It is too late for that",
  "too-large": () => "The request is too large",
  "too-slow": () => "The request took too long to arrive; try again",
  "too-many": ({ retrySeconds }: ErrorParams) =>
    retrySeconds === null ? "Too many requests" : `Too many requests; try again in ${format.number(retrySeconds)} s`,
  internal: () => "Internal error of the server",
  "unreadable-match": () => "The record of this match is damaged; the operator of the server can restore a backup",
  "bad-engine-token": () => "The token of the engine worker is not valid",
  "engine-version": () => "The engine worker has another version than the server",
  "lease-expired": () => "The engine worker took too long",
  "engine-failed": () => "The engine failed; try again",
  busy: () => "The server is busy; try again",
  storage: () => "The database is unavailable; nothing was changed",
  "storage-timeout": () => "The database does not respond; try again",
  "not-ready": () => "The server is not ready; try again",
};
