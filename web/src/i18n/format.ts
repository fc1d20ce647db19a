/** Numbers and plurals by the conventions of a language. */

/** A noun with its plural forms; languages with further forms name them as Intl.PluralRules does. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Numbers below this are written alike in every language of the page. */
const MIN_GROUPED = 1000;

/** Return a function that creates a value when it is first called. */
function createOnce<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}

/**
 * Return the formats of a language. A browser takes tens of milliseconds for the first `Intl.NumberFormat` of a page, so none is
 * created before a number needs it.
 */
export function createFormat(language: string) {
  const formatNumber = (options?: Intl.NumberFormatOptions) => createOnce(() => new Intl.NumberFormat(language, options));
  const rules = createOnce(() => new Intl.PluralRules(language));
  const numbers = formatNumber();
  const percentages = formatNumber({ style: "percent", maximumFractionDigits: 0 });
  const differences = formatNumber({ signDisplay: "exceptZero", maximumFractionDigits: 0 });
  const isPlain = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < MIN_GROUPED;
  const number = (value: number): string => (isPlain(value) ? String(value) : numbers().format(value));
  return {
    number,
    /** A whole number with its sign. */
    difference: (value: number): string => differences().format(value),
    /** A share from 0 to 1. */
    percent: (share: number): string => percentages().format(share),
    /** A number with its noun. */
    count: (value: number, forms: PluralForms): string => `${number(value)} ${forms[rules().select(value)] ?? forms.other}`,
  };
}
