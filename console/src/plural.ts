// A count with its noun, in the right number: `1 order`, `2 orders`, `1,204 entries`.

const RULES = new Intl.PluralRules('en');

/** The plural of a noun, where it is not the noun with an s: `plural(2, 'entry', 'entries')`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${RULES.select(count) === 'one' ? one : many}`;
