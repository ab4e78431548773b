// Writes a document as one HTML page: no script, nothing loaded from elsewhere, every text escaped and isolated from the direction of the
// text beside it. The policy of the page allows its own style and nothing else.

import { hash } from 'node:crypto';
import type { Brand } from './brand.ts';
import { type Cell, cleanText, type DocumentHead, type Fact, type Part, textOf } from './document.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => cleanText(text).replace(/[&<>"']/g, (one) => ESCAPES[one]!);

const isolated = (text: string): string => `<bdi>${escaped(text)}</bdi>`;

const styleOf = ({ accent }: Brand): string =>
  [
    'body{margin:0;background:#fff;color:#1c2024;font:15px/1.5 system-ui,sans-serif}',
    'main{max-width:64rem;margin:0 auto;padding:2rem 1.25rem}',
    `header{border-bottom:3px solid ${accent};padding-bottom:1rem;margin-bottom:1.5rem}`,
    'header img{max-height:48px;max-width:240px;display:block;margin-bottom:.75rem}',
    'h1{font-size:1.5rem;margin:.75rem 0 0}h2{font-size:1.1rem;margin:1.75rem 0 .5rem}p{margin:0 0 .5rem}',
    'dl{display:grid;grid-template-columns:minmax(9rem,max-content) 1fr;gap:.25rem 1.25rem;margin:0}',
    'dt{color:#4a5058}dd{margin:0;overflow-wrap:anywhere}',
    '.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}',
    'th,td{text-align:start;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #d9dce0;overflow-wrap:anywhere}',
    'th.n,td.n{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}',
    'footer{margin-top:2rem;border-top:1px solid #d9dce0;padding-top:.75rem;color:#4a5058}',
    '@media print{main{padding:0;max-width:none}thead{display:table-header-group}tr{break-inside:avoid}}',
  ].join('');

const linked = (cell: Cell): string =>
  typeof cell !== 'string' && cell.href !== null
    ? `<a href="${escaped(cell.href)}" rel="noopener noreferrer">${isolated(cell.text)}</a>`
    : isolated(textOf(cell));

const factOf = ({ label, value }: Fact): string => `<dt>${escaped(label)}</dt><dd>${linked(value)}</dd>`;

const lineOf = (text: string): string => `<p>${isolated(text)}</p>`;

const headOf = (head: DocumentHead, { brand, style }: { brand: Brand; style: string }): string => {
  const { name, addressLines, logo } = brand;
  const image =
    logo === null
      ? ''
      : `<img alt="" src="data:image/${logo.type};base64,${Buffer.from(logo.bytes).toString('base64')}">`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(head.title)}</title>` +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">' +
    `<meta name="referrer" content="no-referrer"><style>${style}</style></head><body><main><header>${image}` +
    `${name === null ? '' : `<p><strong>${isolated(name)}</strong></p>`}${addressLines.map(lineOf).join('')}` +
    `<h1>${escaped(head.title)}</h1>${lineOf(head.subtitle)}</header>`
  );
};

const footOf = ({ footer, contact }: Brand): string => {
  const lines = [...(contact === null ? [] : [`Questions: ${contact}`]), ...(footer === null ? [] : [footer])];
  return `${lines.length === 0 ? '' : `<footer>${lines.map(lineOf).join('')}</footer>`}</main></body></html>\n`;
};

/** Writes the parts of one document. The columns of the open table say which cells are numbers. */
const createWriter = () => {
  let isNumber: readonly boolean[] = [];
  const classOf = (at: number): string => (isNumber[at] ? ' class="n"' : '');
  const rowOf = (cells: readonly Cell[]): string =>
    `<tr>${cells.map((cell, at) => `<td${classOf(at)}>${linked(cell)}</td>`).join('')}</tr>`;
  return (part: Part): string => {
    switch (part.kind) {
      case 'section':
        return `<h2>${escaped(part.title)}</h2>`;
      case 'facts':
        return `<dl>${part.facts.map(factOf).join('')}</dl>`;
      case 'text':
        return lineOf(part.text);
      case 'table': {
        isNumber = part.columns.map((column) => column.isNumber === true);
        const heads = part.columns.map(({ title }, at) => `<th scope="col"${classOf(at)}>${escaped(title)}</th>`);
        const label = escaped(part.label);
        return `<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table><thead><tr>${heads.join('')}</tr></thead><tbody>`;
      }
      case 'rows':
        return part.rows.map(rowOf).join('');
      case 'end':
        return '</tbody></table></div>';
    }
  };
};

export const createHtml = (brand: Brand) => {
  const style = styleOf(brand);
  return {
    /** The page loads nothing, sends nothing, and no other page shows it in a frame. */
    policy:
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src data:; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    open(head: DocumentHead) {
      const part = createWriter();
      return { begin: (): string => headOf(head, { brand, style }), part, end: (): string => footOf(brand) };
    },
  };
};
