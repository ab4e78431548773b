// A document for people: a head and parts in a row. The HTML writer and the PDF writer draw the same parts, so both show the same figures.
// Parts arrive one after the other, so a long table is never in memory as a whole.

export type DocumentHead = {
  readonly title: string;
  readonly subtitle: string;
  /** The moment of the data. The PDF carries it as its date, so the same data gives the same bytes. */
  readonly at: string;
};

export type Column = {
  readonly title: string;
  /** Its share of the width of the table. */
  readonly width: number;
  readonly isNumber?: boolean;
};

/** A link is shown as its text. */
export type Cell = string | { readonly text: string; readonly href: string | null };

export type Fact = { readonly label: string; readonly value: Cell };

export type Part =
  | { readonly kind: 'section'; readonly title: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'text'; readonly text: string }
  /** Begins a table. Rows follow, then `end`. */
  | { readonly kind: 'table'; readonly label: string; readonly columns: readonly Column[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'end' };

export type Document = { readonly head: DocumentHead; readonly parts: Iterable<Part> | AsyncIterable<Part> };

export const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);

// Control characters, and characters that change the direction of the text after them.
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** A longer text is cut. No field of the API that a document shows is longer. */
const TEXT_MAX = 1_000;

/** A text of a caller as a document shows it: on one line, and without characters that could change the text beside it. */
export const cleanText = (text: string): string => {
  const clean = text.toWellFormed().replace(UNSEEN, ' ').trim();
  return clean.length > TEXT_MAX ? `${clean.slice(0, TEXT_MAX).toWellFormed()}…` : clean;
};
