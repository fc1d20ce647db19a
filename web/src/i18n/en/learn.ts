/** Texts of lessons and rules. */
export const learn = {
  heading: "Learn",
  text: "One lesson per game: each step shows a rule and lets you try it.",
  start: "Start",
  next: "Next",
  back: "Back",
  again: "Try again",
  step: (step: number, all: number): string => `${step} of ${all}`,
  right: "Correct.",
  wrong: "That move is legal, but it is not the solution.",
  try: "Your turn",
  finished: "You know all the rules now.",
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
