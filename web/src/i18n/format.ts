/** Numbers and plurals by the conventions of a language. */

/** A noun with its plural forms; languages with further forms name them as Intl.PluralRules does. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

export function createFormat(language: string) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const percentages = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  const differences = new Intl.NumberFormat(language, { signDisplay: "exceptZero", maximumFractionDigits: 0 });
  const number = (value: number): string => numbers.format(value);
  return {
    number,
    /** A whole number with its sign. */
    difference: (value: number): string => differences.format(value),
    /** A share from 0 to 1. */
    percent: (share: number): string => percentages.format(share),
    /** A number with its noun. */
    count: (value: number, forms: PluralForms): string => `${number(value)} ${forms[rules.select(value)] ?? forms.other}`,
  };
}
