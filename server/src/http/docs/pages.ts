// The pages of the documentation that are no files: the results of a search, and a page that does not exist.

import { closest } from '../missing/closest.ts';
import type { DocsFiles } from './files.ts';
import { addressOf } from './links.ts';
import type { Search } from './search.ts';
import { escaped } from './text.ts';

export type Found = ReturnType<Search['find']>;

const resultHtml = ({ url, page, title, excerpt }: Found[number]): string => {
  const pieces = excerpt.map(({ text, isMatch }) => (isMatch ? `<mark>${escaped(text)}</mark>` : escaped(text)));
  return `<li><a href="${url}">${escaped(title)}</a> <span class="result-page">${escaped(page)}</span><p>${pieces.join('')}</p></li>`;
};

export const resultsHtml = (query: string, found: Found): string => {
  if (query === '') return '<h1>Search</h1><p>Enter the words to search for in the field at the top.</p>\n';
  const heading = `<h1>Results for “${escaped(query)}”</h1>`;
  if (found.length === 0) return `${heading}<p>No page contains these words. Try fewer or other words.</p>\n`;
  return `${heading}<ol class="found">${found.map(resultHtml).join('\n')}</ol>\n`;
};

const SUGGESTED_MAX = 5;

/** The pages whose address is close to the one that was asked for. */
export const closestPages = (name: string, { pages }: DocsFiles): string[] => {
  const asked =
    name
      .toLowerCase()
      .replace(/\.(md|html)$/, '')
      .split('/')
      .at(-1) ?? '';
  const names = [...pages.keys()].filter((each) => each !== '');
  const near = closest(asked, { among: names.map((each) => each.split('/').at(-1)!), max: SUGGESTED_MAX });
  const sharing = asked.length < 3 ? [] : names.filter((each) => each.includes(asked));
  const exact = names.filter((each) => near.includes(each.split('/').at(-1)!));
  return [...new Set([...exact, ...sharing])].slice(0, SUGGESTED_MAX);
};

export const missingHtml = (names: readonly string[], files: DocsFiles): string => {
  const items = names.map(
    (name) => `<li><a href="${addressOf(name)}">${escaped(files.pages.get(name)!.title)}</a></li>`,
  );
  const suggested = items.length === 0 ? '' : `<p>Did you mean one of these pages?</p><ul>${items.join('')}</ul>`;
  return `<h1>This page does not exist</h1>${suggested}<p>The <a href="/docs/">home page of the documentation</a> lists all pages, and the field at the top searches them.</p>\n`;
};
