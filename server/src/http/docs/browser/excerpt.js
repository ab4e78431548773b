// The words around the first match of a search, cut into the matches and what is between them. The server uses it as well.

const LENGTH = 180;
const BEFORE = 60;

const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const excerptOf = (text, terms) => {
  const plain = text.replace(/\s+/g, ' ');
  if (terms.length === 0) return [{ text: plain.slice(0, LENGTH), isMatch: false }];
  const longestFirst = [...terms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(${longestFirst.map(quoted).join('|')})`, 'giu');
  const first = Math.max(plain.search(pattern), 0);
  const start = first <= BEFORE ? 0 : plain.indexOf(' ', first - BEFORE) + 1;
  const part = plain.slice(start, start + LENGTH);
  const pieces = part.split(pattern).map((piece, place) => ({ text: piece, isMatch: place % 2 === 1 }));
  return [
    { text: start > 0 ? '… ' : '', isMatch: false },
    ...pieces,
    { text: start + LENGTH < plain.length ? ' …' : '', isMatch: false },
  ].filter((piece) => piece.text !== '');
};
