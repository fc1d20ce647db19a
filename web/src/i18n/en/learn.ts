/** Texts of lessons and rules. */
export const learn = {
  heading: "Learn",
  text: "Three lessons per game: the rules, tactics and strategy. Each step shows something and lets you try it.",
  names: { basics: "Rules", tactics: "Tactics", strategy: "Strategy" },
  done: "finished",
  next: "Next",
  back: "Back",
  again: "Try again",
  step: (step: number, all: number): string => `${step} of ${all}`,
  right: "Correct.",
  wrong: "That move is legal, but it is not the solution.",
  try: "Your turn",
  look: "Look at the board.",
  hint: "Hint",
  show: "Show me",
  solution: (move: string): string => `The solution is ${move}.`,
  wins: (turns: number): string => `This wins in ${turns} turns, against any defence.`,
  toTheEnd: "Play it to the end",
  finished: "You know all the rules now.",
  finishedLesson: "You have finished this lesson.",
  following: (name: string): string => `Next lesson: ${name}`,
  puzzles: "Puzzles for it",
  play: "Play against a bot",
  rules: "All rules",
  lessons: "Lessons",
};

export const rules = {
  known: "What is known",
  heading: "Rules",
  rulings: "Our rulings",
  source: "The rules in our own words; the game belongs to its designers.",
};
