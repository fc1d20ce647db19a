/** Writing a spec from what was chosen, for any game: the server describes its options. */
import type { Blank, Choice, GameEntry } from "../api/types";

export interface SpecChoices {
  choice: string;
  numbers: Record<string, number>;
  flags: Record<string, boolean>;
}

/** What is chosen where nobody has chosen: all as usual, and by chance what has no usual number. */
export function defaultChoices({ options: { pick, flags } }: GameEntry): SpecChoices {
  const blanks = pick.choices.flatMap((choice) => choice.blanks);
  return {
    choice: pick.usual,
    numbers: Object.fromEntries(blanks.map((blank) => [blank.name, blank.usual ?? randomValue(blank)])),
    flags: Object.fromEntries(flags.map((flag) => [flag.name, flag.usual])),
  };
}

const randomValue = ({ least, most, step }: Blank): number =>
  least + step * Math.floor(Math.random() * (Math.floor((most - least) / step) + 1));

/** The largest value of a parameter beside the values chosen for the others. */
export function maxValue({ most, most_share: share }: Blank, choices: SpecChoices): number {
  return share ? Math.min(most, Math.floor((choices.numbers[share.of] ?? most * share.divisor) / share.divisor)) : most;
}

export function selectedVariant({ options: { pick } }: GameEntry, choices: SpecChoices): Choice {
  return pick.choices.find(({ name }) => name === choices.choice) ?? pick.choices[0]!;
}

export function buildSpec(entry: GameEntry, choices: SpecChoices): string {
  const word = selectedVariant(entry, choices).word.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(choices.numbers[name]),
  );
  const said = entry.options.flags.filter((flag) => choices.flags[flag.name] !== flag.usual).map((flag) => flag.word);
  return [entry.key, word, ...said].join("-");
}
