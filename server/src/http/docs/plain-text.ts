// The words of a part of a page, without its marks: for ids, tables of contents and the search.

import type { Token, Tokens } from 'marked';

const cellsOf = ({ header, rows }: Tokens.Table): string =>
  [header, ...rows].map((cells) => cells.map(({ tokens }) => plainText(tokens)).join(' ')).join('\n');

const wordsOf = (token: Token): string => {
  switch (token.type) {
    case 'table':
      return cellsOf(token as Tokens.Table);
    case 'list':
      return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join('\n');
    case 'html':
    case 'space':
    case 'hr':
      return '';
    case 'br':
      return ' ';
    case 'code':
      return (token as Tokens.Code).text;
    default:
      return 'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : '';
  }
};

const isBlock = ({ type }: Token): boolean => ['paragraph', 'list', 'table', 'code', 'blockquote'].includes(type);

export const plainText = (tokens: readonly Token[]): string =>
  tokens.map((token) => wordsOf(token) + (isBlock(token) ? '\n' : '')).join('');
