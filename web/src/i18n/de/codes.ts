/** Texte der Codes des Servers: unerlaubte Züge, Ende eines Spiels, abgelehnte Anfragen. */
import type { ErrorParams, IllegalMoveParams, OutcomeParams } from "../codes";
import type { Messages } from "../en";
import { format } from "./format";

type Cells = IllegalMoveParams;

export const illegalMoves = {
  over: () => "Das Spiel ist zu Ende",
  taken: ({ cell, colour }: Cells) => `Auf ${cell} liegt schon ein Stein${colour && ` in ${colour}`}`,
  corner: ({ cell }: Cells) => `${cell} ist ein Eckfeld; Eckfelder werden in diesem Spiel nicht besetzt`,
  swapped: () => "Die Farben sind schon getauscht",
  "nothing-to-swap": () => "Es liegt noch kein Stein; getauscht wird als Antwort auf den ersten Stein",
  "too-late-to-swap": () => "Zu spät: getauscht wird nur als Antwort auf den ersten Stein",
  surrounded: ({ cell, colour }: Cells) => `${cell} ist${colour && ` von ${colour}`} umzingelt; dort darf niemand setzen`,
  "wrong-step": () => "Jetzt ist eine andere Art von Zug an der Reihe",
  "same-space": ({ cell }: Cells) => `${cell} ist schon gewählt; zum Tauschen braucht es zwei verschiedene Felder`,
  "no-ring": ({ from }: Cells) => `Auf ${from} liegt keiner deiner Ringe`,
  "off-board": ({ from }: Cells) => `Dieser Zug von ${from} führt vom Brett`,
  occupied: ({ cell }: Cells) => `Auf ${cell} liegt schon ein Ring`,
  "no-disc": ({ cell }: Cells) => `Auf ${cell} liegt keine Scheibe mehr`,
  "not-free": ({ cell }: Cells) => `Die Farbe von ${cell} ist nicht frei: der Gegner kontrolliert sie`,
  "two-discs": ({ cell }: Cells) => `Auf ${cell} liegen schon zwei Scheiben`,
  "same-colour": ({ cell }: Cells) => `Die Scheibe auf ${cell} hat dieselbe Farbe; es muss eine andere sein`,
  empty: ({ from }: Cells) => `${from} ist leer`,
  "not-yours": ({ from }: Cells) => `Der oberste Stein auf ${from} gehört dem Gegner`,
  "not-farthest-row": ({ from }: Cells) =>
    `${from} liegt nicht auf deiner hintersten Reihe; nur von dort gehen Steine vom Brett`,
  "no-two-stack": ({ from }: Cells) =>
    `Zwei Steine ziehen nur zusammen, wenn direkt unter deinem einer des Gegners liegt, und auf ${from} liegt keiner`,
  "two-stack-backward": () => "Zurück zieht nur ein einzelner Stein",
  "not-fewer": () => "Zurück zieht nur, wer weniger Steine zeigt als der Gegner",
  "not-alone": ({ from }: Cells) =>
    `Zurück zieht nur ein Stein, der allein auf seinem Feld liegt, und ${from} hat einen Stapel`,
  "no-checker-to-cover": ({ cell }: Cells) =>
    `Ein Zug zurück endet auf einem Stein des Gegners, und auf ${cell} ist keiner zu sehen`,
} satisfies Messages["illegalMoves"];

export const outcomes = {
  "holds-centre": ({ winner, cells }: OutcomeParams) =>
    `${winner} gewinnt: eine Gruppe aus ${format.count(cells.length, { one: "Stein", other: "Steinen" })} verbindet die Mitte mit dem Rand`,
  "ropes-off-centre": ({ winner, cells }: OutcomeParams) =>
    `${winner} gewinnt: eine Gruppe aus ${format.count(cells.length, { one: "Stein", other: "Steinen" })} trennt die Mitte vom Rand`,
  "isolates-nuclear-cells": ({ winner, cells }: OutcomeParams) =>
    `${winner} gewinnt: eine Gruppe aus ${format.count(cells.length, { one: "Stein", other: "Steinen" })} trennt die drei Kernfelder voneinander`,
  majority: ({ winner, cells }: OutcomeParams) =>
    `${winner} gewinnt: ein Gebiet von ${format.count(cells.length, { one: "Feld", other: "Feldern" })}, mehr als die Hälfte des Bretts`,
  "cannot-move": ({ winner, loser, cells }: OutcomeParams) =>
    `${winner} gewinnt: ${loser} kann keinen Ring mehr bewegen (${cells.join(", ")})`,
  "borne-off": ({ winner }: OutcomeParams) => `${winner} gewinnt: alle eigenen Steine sind vom Brett`,
  "no-checker-left": ({ winner, loser }: OutcomeParams) =>
    `${winner} gewinnt: ${loser} hat keinen sichtbaren Stein übrig gelassen`,
  repetition: () => "Remis: die Stellung kam zum dritten Mal vor",
} satisfies Messages["outcomes"];

export const errors = {
  "no-session": () => "Du hast noch kein Konto und keinen Gastnamen",
  "wrong-password": () => "Name oder Passwort ist falsch",
  "forbidden-origin": () => "Die Anfrage kam von einer anderen Seite",
  "not-your-match": () => "Du spielst in dieser Partie nicht mit",
  "not-your-turn": () => "Du bist nicht am Zug",
  "not-found": () => "Das gibt es nicht",
  stale: () => "Die Stellung hat sich inzwischen geändert",
  "not-playing": () => "Die Partie hat nicht begonnen oder ist zu Ende",
  "stale-version": () => "Die Analyse wurde anderswo geändert",
  "still-playing": () => "Eine Partie kann erst nach ihrem Ende angesehen werden",
  "game-over": () => "In dieser Stellung ist das Spiel zu Ende",
  "seat-taken": () => "Der Platz ist schon vergeben",
  "name-taken": () => "Dieser Name ist schon vergeben",
  "no-such-offer": () => "Das Angebot gibt es nicht mehr",
  "already-public": () => "Diese Partie ist schon öffentlich",
  "no-draws": () => "In diesem Spiel gibt es kein Remis",
  "no-takebacks": () => "Gewertete Partien gegen Bots und Turnierpartien haben keine Zugrücknahme",
  "no-aborts": () => "Eine Turnierpartie kann nicht abgebrochen werden; gib stattdessen auf",
  "already-joined": () => "Du nimmst an diesem Turnier schon teil",
  "registration-closed": () => "Die Anmeldung zu diesem Turnier ist beendet",
  "tournament-over": () => "Das Turnier ist beendet",
  "too-few-players": () => "Ein Turnier braucht mindestens zwei Teilnehmer",
  "not-organiser": () => "Das darf nur die Turnierleitung",
  "not-invited": () => "An diesem Turnier kannst du nur mit dem Link der Turnierleitung teilnehmen",
  "account-needed": () => "Dafür brauchst du ein Konto; registriere dich zuerst",
  "account-closed": () => "Dieses Konto ist geschlossen",
  muted: () => "Die Leitung dieses Servers hat dich stummgeschaltet; du kannst spielen, aber nicht schreiben",
  blocked: () => "Ihr könnt nicht miteinander spielen: jemand von euch hat blockiert",
  "too-late": () => "Dafür ist es zu spät",
  "too-large": () => "Die Anfrage ist zu groß",
  "too-slow": () => "Die Anfrage kam zu langsam an; bitte noch einmal versuchen",
  "too-many": ({ retrySeconds }: ErrorParams) =>
    retrySeconds === null
      ? "Zu viele Anfragen"
      : `Zu viele Anfragen; neuer Versuch in ${format.number(retrySeconds)} s möglich`,
  internal: () => "Interner Fehler des Servers",
  "unreadable-match": () =>
    "Die Aufzeichnung dieser Partie ist beschädigt; wer den Server betreibt, kann eine Sicherung einspielen",
  "bad-engine-token": () => "Das Token des Engine-Workers ist ungültig",
  "engine-version": () => "Der Engine-Worker hat eine andere Version als der Server",
  "lease-expired": () => "Der Engine-Worker hat zu lange gebraucht",
  "engine-failed": () => "Die Engine ist ausgefallen; versuch es noch einmal",
  busy: () => "Der Server ist ausgelastet; versuch es noch einmal",
  storage: () => "Die Datenbank ist nicht erreichbar; nichts wurde geändert",
  "storage-timeout": () => "Die Datenbank antwortet nicht; versuch es noch einmal",
  "not-ready": () => "Der Server ist nicht bereit; versuch es noch einmal",
} satisfies Messages["errors"];
