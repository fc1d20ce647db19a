/** Texts of conditional moves. */
const en = {
  heading: "Conditional moves",
  hint: "Your answer is played at once when your opponent makes the move that you expect. Only you see these lines.",
  add: "Add a line",
  wait: "You can add lines while it is your opponent’s turn.",
  chooseTheirs: "Choose a move that you expect from your opponent",
  chooseOwn: "Choose your answer",
  save: "Save this line",
  cancel: "Cancel",
  needsAnswer: "A line ends with a move of yours.",
  none: "There are no lines.",
  show: (line: string): string => `Show ${line}`,
  remove: (line: string): string => `Delete ${line}`,
};

const de: typeof en = {
  heading: "Bedingte Züge",
  hint: "Deine Antwort wird sofort gespielt, wenn der Gegner den erwarteten Zug macht. Nur du siehst diese Zugfolgen.",
  add: "Zugfolge hinzufügen",
  wait: "Zugfolgen lassen sich hinzufügen, während der Gegner am Zug ist.",
  chooseTheirs: "Wähle einen Zug, den du vom Gegner erwartest",
  chooseOwn: "Wähle deine Antwort",
  save: "Zugfolge speichern",
  cancel: "Abbrechen",
  needsAnswer: "Eine Zugfolge endet mit einem Zug von dir.",
  none: "Es gibt keine Zugfolgen.",
  show: (line: string): string => `${line} zeigen`,
  remove: (line: string): string => `${line} löschen`,
};

export const CONDITIONAL_MOVE_TEXTS = { en, de };
