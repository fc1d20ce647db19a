/** Writing a spec from what was chosen, for any game: the server describes its options. */
import type { GameEntry, VariantChoiceView, VariantParameter } from "../api/types";

export interface SpecChoices {
  choice: string;
  numbers: Record<string, number>;
  flags: Record<string, boolean>;
}

/** The default choices; a parameter without a default gets a random value. */
export function defaultChoices({ options: { variant, flags } }: GameEntry): SpecChoices {
  const parameters = variant.choices.flatMap((choice) => choice.parameters);
  return {
    choice: variant.default,
    numbers: Object.fromEntries(parameters.map((each) => [each.name, each.default ?? randomValue(each)])),
    flags: Object.fromEntries(flags.map((flag) => [flag.name, flag.default])),
  };
}

const randomValue = ({ min, max, step }: VariantParameter): number =>
  min + step * Math.floor(Math.random() * (Math.floor((max - min) / step) + 1));

/** The largest value of a parameter beside the values chosen for the others. */
export function maxValue(parameter: VariantParameter, choices: SpecChoices): number {
  const { max } = parameter;
  if (!("max_share" in parameter)) return max;
  const { of, divisor } = parameter.max_share;
  return Math.min(max, Math.floor((choices.numbers[of] ?? max * divisor) / divisor));
}

export function selectedVariant({ options: { variant } }: GameEntry, choices: SpecChoices): VariantChoiceView {
  return variant.choices.find(({ name }) => name === choices.choice) ?? variant.choices[0]!;
}

export function buildSpec(entry: GameEntry, choices: SpecChoices): string {
  const variant = selectedVariant(entry, choices).spec_part.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(choices.numbers[name]),
  );
  const flags = entry.options.flags.filter((flag) => choices.flags[flag.name] !== flag.default);
  return [entry.key, variant, ...flags.map((flag) => flag.spec_part)].join("-");
}
