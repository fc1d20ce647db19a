/** Options that the page recommends, where they differ from the defaults of the rule sheet. */
import type { GameEntry } from "../lib/api/types";
import { buildSpec, defaultChoices, type SpecChoices } from "../lib/match/specBuilder";

/** Without the pie rule the first player wins Lariat by taking the centre and answering opposite. */
const RECOMMENDED_FLAGS: Readonly<Record<string, Readonly<Record<string, boolean>>>> = { lariat: { pie: true } };

/** The choices of a new game: the defaults, with the flags that the page recommends. */
export function recommendChoices(entry: GameEntry): SpecChoices {
  const choices = defaultChoices(entry);
  return { ...choices, flags: { ...choices.flags, ...RECOMMENDED_FLAGS[entry.key] } };
}

/** The spec of a new game for which nothing is chosen. */
export const recommendSpec = (entry: GameEntry): string => buildSpec(entry, recommendChoices(entry));
