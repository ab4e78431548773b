// The navigation of the documentation: the headings and links of its home page, docs/README.md, so that there is one list of the pages.

import type { Token, Tokens } from 'marked';
import type { DocsFiles } from './files.ts';
import { addressOf, resolveLink } from './links.ts';
import { plainText } from './plain-text.ts';
import { parseMarkdown } from './render.ts';

export type Entry = { readonly name: string; readonly title: string };
export type Group = { readonly title: string; readonly entries: readonly Entry[] };

const linksIn = (tokens: readonly Token[]): Tokens.Link[] =>
  tokens.flatMap((token) => {
    if (token.type === 'link') return [token as Tokens.Link];
    if (token.type === 'list') return linksIn((token as Tokens.List).items);
    if (token.type === 'table') {
      const { rows } = token as Tokens.Table;
      return rows.flatMap((cells) => cells.flatMap((cell) => linksIn(cell.tokens)));
    }
    return 'tokens' in token && token.tokens ? linksIn(token.tokens) : [];
  });

type Listed = { readonly title: string; readonly links: Tokens.Link[] };

/** The links below each heading of the second level. */
const listedIn = (tokens: readonly Token[]): Listed[] => {
  const groups: Listed[] = [];
  for (const token of tokens) {
    const { depth } = token as Tokens.Heading;
    if (token.type === 'heading' && depth === 2) groups.push({ title: plainText(token.tokens ?? []), links: [] });
    else groups.at(-1)?.links.push(...linksIn([token]));
  }
  return groups;
};

/** The text of the link, or the title of the page where the text is a part of a sentence or a number. */
const labelOf = (text: string, { title }: { readonly title: string }): string =>
  /^[a-z\d]/.test(text) || text.includes('.md') ? title : text;

/** Every page once, where it is named first. */
export const navigationOf = ({ pages }: DocsFiles): Group[] => {
  const home = pages.get('')!;
  const byAddress = new Map([...pages.keys()].map((name) => [addressOf(name), name]));
  const seen = new Set<string>(['']);
  const entryOf = ({ href, tokens }: Tokens.Link): Entry[] => {
    const name = byAddress.get(resolveLink(href, home)?.href.split('#', 1)[0] ?? '');
    if (name === undefined || seen.has(name)) return [];
    seen.add(name);
    return [{ name, title: labelOf(plainText(tokens), pages.get(name)!) }];
  };
  return listedIn(parseMarkdown(home.text))
    .map(({ title, links }) => ({ title, entries: links.flatMap(entryOf) }))
    .filter(({ entries }) => entries.length > 0);
};

/** The pages of the guide are read in order. */
const IN_ORDER = 'guide/';

export const stepsOf = (name: string, files: DocsFiles): { before: Entry | null; after: Entry | null } => {
  const none = { before: null, after: null };
  if (!name.startsWith(IN_ORDER)) return none;
  const inOrder = [...files.pages.values()].filter((page) => page.name.startsWith(IN_ORDER));
  const at = inOrder.findIndex((page) => page.name === name);
  return { before: inOrder[at - 1] ?? null, after: inOrder[at + 1] ?? null };
};
