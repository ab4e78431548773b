// Turns the Markdown of a page into HTML. HTML inside the Markdown is shown as text. The first cell of a table row that is code gets an id, so
// that every error code and every setting has an address.

import { hash } from 'node:crypto';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import type { PageFile } from './files.ts';
import { highlighted } from './highlight.ts';
import { resolveLink } from './links.ts';
import { plainText } from './plain-text.ts';
import { createIds, escaped } from './text.ts';

export type Heading = { readonly id: string; readonly depth: number; readonly text: string };

/** What the search finds: the text below one heading, or one row of a table. */
export type Section = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly isRow: boolean;
};

type RenderedPage = {
  readonly html: string;
  readonly headings: readonly Heading[];
};

/** The name of the drawing of a diagram; the drawing changes with its source. */
export const diagramName = (source: string): string => hash('sha256', source.trim(), 'hex').slice(0, 16);

export const parseMarkdown = (text: string): Token[] => new Marked({ gfm: true }).lexer(text);

const ROW_ID = /^[A-Za-z][\w.:-]*$/;

/** The code in the first cell of a row, where the cell is nothing but code. */
const rowName = ([first]: readonly Tokens.TableCell[]): string | null => {
  const [only, ...more] = first?.tokens ?? [];
  if (only?.type !== 'codespan' || more.length > 0) return null;
  const { text } = only as Tokens.Codespan;
  return ROW_ID.test(text) ? text : null;
};

type Place = {
  readonly page: Pick<PageFile, 'path' | 'title'>;
  readonly diagrams: ReadonlyMap<string, string>;
  readonly headings: readonly Heading[];
  readonly rows: ReadonlyMap<readonly Tokens.TableCell[], string>;
};

const codeBlock = (text: string, language: string): string =>
  `<div class="code"><pre tabindex="0"><code>${highlighted(text, language)}</code></pre></div>\n`;

const createRenderer = ({ page, diagrams, headings, rows }: Place): RendererObject => {
  let at = 0;
  const nearest = (): string => headings[at - 1]?.text ?? page.title;
  return {
    heading({ tokens, depth }) {
      const { id, text } = headings[at++]!;
      const anchor = `<a class="anchor" href="#${id}" aria-label="Link to: ${escaped(text)}">#</a>`;
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${depth === 1 ? '' : anchor}</h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      const drawing = lang === 'mermaid' ? diagrams.get(diagramName(text)) : undefined;
      if (drawing === undefined) return codeBlock(text, lang.split(/\s/, 1)[0]!);
      const label = escaped(`Diagram: ${nearest()}`);
      return `<div class="diagram" tabindex="0" role="group" aria-label="${label}">${drawing}</div>\n`;
    },
    table({ header, rows: body }) {
      const cell = (tag: string, { tokens, align }: Tokens.TableCell): string =>
        `<${tag}${align ? ` class="${align}"` : ''}>${this.parser.parseInline(tokens)}</${tag}>`;
      const row = (cells: Tokens.TableCell[]): string => {
        const id = rows.get(cells);
        return `<tr${id ? ` id="${id}"` : ''}>${cells.map((each) => cell('td', each)).join('')}</tr>`;
      };
      const head = header.map((each) => cell('th scope="col"', each).replace('</th scope="col">', '</th>')).join('');
      const label = escaped(`Table: ${nearest()}`);
      return `<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${head}</tr></thead><tbody>${body.map(row).join('\n')}</tbody></table></div>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const link = resolveLink(href, page);
      if (link === null) return `<span class="file">${text}</span>`;
      return `<a href="${escaped(link.href)}"${link.isElsewhere ? ' rel="noopener noreferrer"' : ''}>${text}</a>`;
    },
    image({ href, text }) {
      const link = resolveLink(href, page);
      if (link === null || link.isElsewhere) return escaped(text);
      return `<img src="${escaped(link.href)}" alt="${escaped(text)}" loading="lazy">`;
    },
    html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
  };
};

/** The ids of the headings and of the named rows, and the sections of the page. */
const outlineOf = (tokens: readonly Token[]) => {
  const ids = createIds();
  const headings: Heading[] = [];
  const rows = new Map<readonly Tokens.TableCell[], string>();
  const sections: Section[] = [];
  let title = '';
  let id = '';
  let text = '';
  const close = (): void => {
    if (title !== '') sections.push({ id, title, text: text.trim(), isRow: false });
    text = '';
  };
  const addTable = ({ header, rows: body }: Tokens.Table): void => {
    text += `${header.map((cell) => plainText(cell.tokens)).join(' ')}\n`;
    for (const cells of body) {
      const name = rowName(cells);
      const rowId = name === null ? null : ids.take(name);
      const words = cells.map((cell) => plainText(cell.tokens)).join(' · ');
      if (rowId === null) text += `${words}\n`;
      else {
        rows.set(cells, rowId);
        sections.push({ id: rowId, title: rowId, text: words, isRow: true });
      }
    }
  };
  for (const token of tokens) {
    if (token.type === 'heading') {
      close();
      title = plainText(token.tokens ?? []);
      id = ids.ofHeading(title);
      headings.push({ id, depth: (token as Tokens.Heading).depth, text: title });
    } else if (token.type === 'table') addTable(token as Tokens.Table);
    else if (token.type !== 'code' || (token as Tokens.Code).lang !== 'mermaid') text += `${plainText([token])}\n`;
  }
  close();
  return { headings, rows, sections };
};

export const sectionsOf = ({ text }: Pick<PageFile, 'text'>): readonly Section[] =>
  outlineOf(parseMarkdown(text)).sections;

export const renderPage = (
  page: Pick<PageFile, 'path' | 'title' | 'text'>,
  diagrams: ReadonlyMap<string, string>,
): RenderedPage => {
  const tokens = parseMarkdown(page.text);
  const { headings, rows } = outlineOf(tokens);
  const marked = new Marked({ gfm: true, renderer: createRenderer({ page, diagrams, headings, rows }) });
  return { html: marked.parser(tokens), headings };
};
