// The search of the documentation. The index is made at the first search, page after page, so that other requests are answered in between.
// Browsers load it; readers without a script get a page of results.

import { setImmediate as nextTurn } from 'node:timers/promises';
import MiniSearch, { type Options } from 'minisearch';
import { excerptOf, type Piece } from './browser/excerpt.js';
import { findIn } from './browser/find.js';
import type { DocsFiles } from './files.ts';
import { addressOf } from './links.ts';
import { sectionsOf } from './render.ts';

type Entry = {
  readonly id: number;
  readonly url: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Other names of the matter that readers search for. */
  readonly otherWords: string;
  /** How much more a match here counts than elsewhere. */
  readonly weight: number;
};

type Result = Pick<Entry, 'url' | 'page' | 'title'> & { readonly excerpt: readonly Piece[] };

export type Search = {
  find(query: string): readonly Result[];
  /** What the browser loads: the options of the index and the index. */
  readonly json: string;
};

/** Data only, because the browser gets the same options. */
const OPTIONS: Options<Entry> = {
  fields: ['title', 'page', 'text', 'otherWords'],
  storeFields: ['url', 'page', 'title', 'text', 'weight'],
  searchOptions: { boost: { title: 5, page: 2, otherWords: 3 }, fuzzy: 0.2 },
};

const RESULTS_MAX = 30;
/** Pages that explain come before other pages, and a section before a single row of a table, whose few words would otherwise count most. */
const WEIGHT = { explains: 3, section: 1, row: 0.5 } as const;
const EXPLAINS = /^(?:guide\/|concepts\/|recipes$|quick-start$|testing$)/;

const OTHER_WORDS: Readonly<Record<string, string>> = {
  '/docs/guide/07-withdrawal': 'payout',
  '/docs/recipes#pay-out-every-week': 'payout withdrawal',
};

const weightOf = (name: string, { isRow }: { readonly isRow: boolean }): number => {
  if (isRow) return WEIGHT.row;
  return EXPLAINS.test(name) ? WEIGHT.explains : WEIGHT.section;
};

const entriesOf = async (files: DocsFiles): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (const page of files.pages.values()) {
    for (const { id, title, text, isRow } of sectionsOf(page)) {
      const url = addressOf(page.name) + (title === page.title ? '' : `#${id}`);
      const weight = weightOf(page.name, { isRow });
      const otherWords = OTHER_WORDS[url] ?? '';
      entries.push({ id: entries.length, url, page: page.title, title, text, otherWords, weight });
    }
    await nextTurn();
  }
  return entries;
};

export const createSearch = async (files: DocsFiles): Promise<Search> => {
  const index = new MiniSearch<Entry>(OPTIONS);
  await index.addAllAsync(await entriesOf(files), { chunkSize: 10 });
  return {
    find: (query) =>
      findIn(index, query)
        .slice(0, RESULTS_MAX)
        .map(({ url, page, title, text, terms }) => ({ url, page, title, excerpt: excerptOf(text, terms) })),
    json: JSON.stringify({ options: OPTIONS, index }),
  };
};
