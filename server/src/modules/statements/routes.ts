// The route of a user's statement, as JSON or CSV.

import { getStatement, STATEMENT_LINES } from '@holdfast/contract/api/statements.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { CSV_TYPE, prefersCsv } from '../../http/csv-answer.ts';
import { wrap } from '../../http/envelope.ts';
import { type Route, raw } from '../../http/route.ts';
import { presentStatement, statementTable } from './present.ts';
import type { StatementReads } from './queries.ts';
import { formatCursor, statementRange } from './range.ts';

type Parts = {
  readonly statements: StatementReads;
  readonly baseCurrency: Currency;
  /** Microseconds. */
  now(): number;
};

const JSON_TYPE = 'application/json; charset=utf-8';

export const statementRoutes = ({ statements, baseCurrency, now }: Parts): Route[] => [
  raw(getStatement, async ({ params: { id: userId }, query, context, requestId }, { request, open }) => {
    const { currency = baseCurrency, limit = STATEMENT_LINES.usual, format, cursor } = query;
    const range = statementRange(query, now());
    const page = await statements.read({
      marketplaceId: context.marketplaceId,
      userId,
      currency,
      limit,
      ...range,
    });
    if (!page) throw new DomainError('USER_NOT_FOUND');
    const nextCursor = page.next && formatCursor(range, page.next);
    const { from, to } = range;
    const head = { userId, currency, from, to, nextCursor, isFirst: cursor === undefined };
    const isTable = format === undefined ? prefersCsv(request.headers.accept) : format === 'csv';
    if (!isTable) {
      const body = JSON.stringify(wrap(presentStatement(page, head), { wrapping: 'plain', requestId }));
      open(200, { 'content-type': JSON_TYPE }).end(body);
      return;
    }
    const headers = {
      'content-type': CSV_TYPE,
      'content-disposition': `attachment; filename="statement-${userId}-${currency}.csv"`,
      ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
    };
    open(200, headers).end(statementTable(page, head));
  }),
];
