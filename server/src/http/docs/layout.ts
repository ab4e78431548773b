// The frame of every page of the documentation: the bar with the links between its parts, the search, the navigation and the contents of
// the page. All of it works without a script.

import { PAGE_HEADERS, policyOf } from '../files/site-file.ts';
import { addressOf } from './links.ts';
import type { Entry, Group } from './navigation.ts';
import type { Heading } from './render.ts';
import { escaped } from './text.ts';

export const HTML = 'text/html; charset=utf-8';

/** The headers of every page of the documentation: scripts, styles and pictures of this server, and nothing else. */
export const PAGE_POLICY = { ...PAGE_HEADERS, 'content-security-policy': policyOf({ forms: "'self'" }) };

export type Part = 'console' | 'docs' | 'reference' | 'none';

/** The addresses of the style and the scripts, with their versions. */
export type AssetAddresses = {
  readonly style: string;
  readonly referenceStyle: string;
  readonly theme: string;
  readonly script: string;
};

const MARK =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b5d57"/>' +
  '<path d="M9 7v18M23 7v18M9 16h14" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/>' +
  '<circle cx="16" cy="16" r="4.2" fill="#0b5d57" stroke="#fff" stroke-width="2.6"/></svg>';

export const headOf = (title: string, { style, theme, script }: AssetAddresses): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" type="image/svg+xml" href="/docs/assets/favicon.svg">
<link rel="stylesheet" href="${style}">
<script src="${theme}"></script>
<script type="module" src="${script}"></script>
</head>
`;

const PARTS: readonly (readonly [part: Part, href: string, text: string])[] = [
  ['console', '/console', 'Console'],
  ['docs', '/docs/', 'Docs'],
  ['reference', '/docs/reference/', 'Reference'],
];

const searchForm = (query: string): string => `<form class="search" role="search" action="/docs/search">
<input type="search" name="q" value="${escaped(query)}" maxlength="100" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off">
<div class="results" id="search-results" hidden></div>
</form>`;

/** The bar at the top. The choice of the theme is made visible by the script that it needs. */
export const barOf = (current: Part, query = ''): string => {
  const links = PARTS.map(
    ([part, href, text]) => `<a href="${href}"${part === current ? ' aria-current="true"' : ''}>${text}</a>`,
  );
  return `<header class="bar">
<a class="brand" href="/docs/">${MARK}<span>Holdfast</span></a>
<nav class="parts" aria-label="Parts">${links.join('')}</nav>
${searchForm(query)}
<select class="theme" aria-label="Colour theme" hidden><option value="system">System</option><option value="light">Light</option><option value="dark">Dark</option></select>
</header>`;
};

const entryLink = (current: string | null, { name, title }: Entry): string =>
  `<li><a href="${addressOf(name)}"${name === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;

const navigationHtml = (groups: readonly Group[], current: string | null): string =>
  groups
    .map(
      ({ title, entries }) =>
        `<h2>${escaped(title)}</h2><ul>${entries.map((entry) => entryLink(current, entry)).join('')}</ul>`,
    )
    .join('\n');

const contentsHtml = (headings: readonly Heading[]): string => {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ id, depth, text }) => `<li class="depth-${depth}"><a href="#${id}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
};

const stepHtml = (entry: Entry | null, word: 'Previous' | 'Next'): string =>
  entry === null
    ? '<span></span>'
    : `<a class="${word.toLowerCase()}" href="${addressOf(entry.name)}"><span>${word}</span> ${escaped(entry.title)}</a>`;

export type PageParts = {
  readonly title: string;
  /** Null: the page is not in the navigation. */
  readonly name: string | null;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly groups: readonly Group[];
  readonly steps: { readonly before: Entry | null; readonly after: Entry | null };
  readonly query?: string;
};

export const layOut = (page: PageParts, assets: AssetAddresses): string => {
  const { before, after } = page.steps;
  const steps =
    before || after
      ? `<nav class="steps" aria-label="Steps of the guide">${stepHtml(before, 'Previous')}${stepHtml(after, 'Next')}</nav>`
      : '';
  return `${headOf(`${page.title} · Holdfast docs`, assets)}<body>
<a class="skip" href="#main">Skip to content</a>
${barOf('docs', page.query)}
<div class="frame">
<button type="button" class="menu-button" popovertarget="pages">All pages</button>
<nav class="menu" id="pages" popover aria-label="Pages">${navigationHtml(page.groups, page.name)}</nav>
<main id="main">
<article>
${page.html}</article>
${steps}
</main>
${contentsHtml(page.headings)}
</div>
</body>
</html>
`;
};
