// The search of the documentation. The index is made at the first search, page after page, so that other requests are answered in between.
// Browsers load it; readers without a script get a page of results.

import { setImmediate as nextTurn } from 'node:timers/promises';
import MiniSearch, { type Options } from 'minisearch';
import { excerptOf, type Piece } from './browser/excerpt.js';
import type { DocsFiles } from './files.ts';
import { addressOf } from './links.ts';
import { sectionsOf } from './render.ts';

type Entry = {
  readonly id: number;
  readonly url: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
};

type Result = Pick<Entry, 'url' | 'page' | 'title'> & { readonly excerpt: readonly Piece[] };

export type Search = {
  find(query: string): readonly Result[];
  /** What the browser loads: the options of the index and the index. */
  readonly json: string;
};

/** Data only, because the browser gets the same options. */
const OPTIONS: Options<Entry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['url', 'page', 'title', 'text'],
  searchOptions: { boost: { title: 5, page: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
};

const RESULTS_MAX = 30;
/** Shorter words are found whole only: a single letter begins hundreds of words, and a search must not hold up other requests. */
const PREFIX_FROM = 3;

const entriesOf = async (files: DocsFiles): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (const page of files.pages.values()) {
    for (const { id, title, text } of sectionsOf(page)) {
      const url = addressOf(page.name) + (title === page.title ? '' : `#${id}`);
      entries.push({ id: entries.length, url, page: page.title, title, text });
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
      index
        .search(query, { prefix: ({ length }) => length >= PREFIX_FROM })
        .slice(0, RESULTS_MAX)
        .map(({ url, page, title, text, terms }) => ({ url, page, title, excerpt: excerptOf(text, terms) })),
    json: JSON.stringify({ options: OPTIONS, index }),
  };
};
