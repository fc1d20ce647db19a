/** Texte der Einstellungen. */
import type { Messages } from "../en";

export const settings = {
  heading: "Einstellungen",
  language: "Sprache",
  theme: "Farben",
  themes: { system: "wie das System", light: "hell", dark: "dunkel" },
  confirm: "Züge bestätigen",
  confirmOptions: { touch: "auf Touchscreens", always: "immer", never: "nie" },
  views: "Bretter",
  viewOptions: { both: "Karte und 3D-Ansicht", flat: "zuerst die Karte", solid: "zuerst die 3D-Ansicht" },
  names: "Namen der Felder auf der Karte zeigen",
  text: "Textansicht des Bretts zeigen",
  account: "Konto",
  guest: (name: string): string =>
    `Du spielst als Gast: ${name}. Mit einem Konto behältst du deine Partien auch auf anderen Geräten.`,
  member: (name: string): string => `Du bist als ${name} angemeldet.`,
  anonymous: "Du hast noch nicht gespielt; mit der ersten Partie bekommst du einen Gastnamen.",
  name: "Name",
  password: "Passwort",
  register: "Konto anlegen",
  logIn: "Anmelden",
  logOut: "Abmelden",
} satisfies Messages["settings"];
