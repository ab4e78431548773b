// Downloads a complete statement as CSV, page by page.

import type { StatementQuery } from '@holdfast/sdk';
import type { Client } from '../../api.ts';

type Asked = { readonly userId: string; readonly range: StatementQuery };

/** The largest page. */
const LINES_MAX = 1_000;

/** A CSV page has no cursor, so each page is also requested as JSON. The header line is kept once. */
export const statementAsText = async (
  client: Client,
  { userId, range }: Asked,
): Promise<{ text: string; lines: number }> => {
  let text = '';
  let lines = 0;
  let ask: StatementQuery = { ...range, limit: LINES_MAX };
  for (;;) {
    const page = await client.users.statement(userId, ask);
    const { currency, from, to } = page;
    // The exact range of the first answer: a range that ends now would end later in the second request.
    const part = await client.users.statementCsv(userId, ask.cursor ? ask : { currency, from, to, limit: LINES_MAX });
    text += text === '' ? part : part.slice(part.indexOf('\n') + 1);
    lines += page.lines.length;
    if (!page.hasMore || page.nextCursor === null) return { text, lines };
    ask = { currency, limit: LINES_MAX, cursor: page.nextCursor };
  }
};
