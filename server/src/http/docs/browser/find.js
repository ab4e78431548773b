// Finds sections of the documentation. The server and the browser use this one file, so that both show the same results in the same order.

const WORDS_MAX = 8;
/** Shorter words are found whole only: a single letter begins hundreds of words, and a search must not hold up other requests. */
const PREFIX_FROM = 3;
/** With fewer results than these, the sections with only some of the words follow. */
const ENOUGH = 3;

const STOP_WORDS = new Set(
  'a an and are as at be by can could do does for from have how i if in into is it its me my of on or our should that the their there this to use using was we what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** A question such as "how do I test my code?" becomes its words that carry the meaning. A query of stop words only keeps them. */
const wordsOf = (query) => {
  const words = [...new Set(query.trim().split(/\s+/))];
  const named = words.filter((word) => !STOP_WORDS.has(word.toLowerCase().replace(/[^a-z]+$/, '')));
  return (named.length > 0 ? named : words).slice(0, WORDS_MAX);
};

/** The name of an error, an event or a setting, such as order.created: its own row is the best answer. */
const NAME = /^\w+[._]\w[\w.]*$/;

export const findIn = (index, query) => {
  const words = wordsOf(query).join(' ');
  const options = {
    prefix: ({ length }) => length >= PREFIX_FROM,
    ...(NAME.test(words) ? {} : { boostDocument: (_id, _term, { weight }) => weight }),
  };
  const all = index.search(words, { ...options, combineWith: 'AND' });
  if (all.length >= ENOUGH) return all;
  const known = new Set(all.map(({ id }) => id));
  const some = index.search(words, { ...options, combineWith: 'OR' }).filter(({ id }) => !known.has(id));
  return [...all, ...some];
};
