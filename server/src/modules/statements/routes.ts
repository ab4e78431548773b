// The route of a user's statement, as JSON, CSV, HTML or PDF. Each read takes a place among the heavy reads, because the client of a long
// document may be slow.

import { getStatement, STATEMENT_LINES } from '@holdfast/contract/api/statements.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { CSV_TYPE, prefersCsv } from '../../http/csv-answer.ts';
import { wrap } from '../../http/envelope.ts';
import { type Route, raw } from '../../http/route.ts';
import type { Documents } from '../../http/send-document.ts';
import { validationError } from '../../http/validation/messages.ts';
import { statementDocument } from './document.ts';
import { presentStatement, statementTable } from './present.ts';
import type { StatementPage, StatementReads, StatementRequest } from './queries.ts';
import { formatCursor, statementRange } from './range.ts';

type Turn = { readonly key: string; readonly left?: AbortSignal | undefined };

type Parts = {
  readonly statements: StatementReads;
  readonly baseCurrency: Currency;
  readonly documents: Pick<Documents, 'send'>;
  /** Runs a read as a heavy read of the marketplace. */
  inTurn<Data>(turn: Turn, read: () => Promise<Data>): Promise<Data>;
  /** Microseconds. */
  now(): number;
};

const JSON_TYPE = 'application/json; charset=utf-8';

const found = <Value>(value: Value | null): Value => {
  if (value === null) throw new DomainError('USER_NOT_FOUND');
  return value;
};

/** A document shows the whole range, so it has no next page. */
const refusePaging = ({ cursor }: { readonly cursor?: string }): void => {
  if (cursor === undefined) return;
  throw validationError(['cursor is only for json and csv: a document shows the whole range']);
};

export const statementRoutes = ({ statements, baseCurrency, documents, inTurn, now }: Parts): Route[] => [
  raw(getStatement, async ({ params: { id: userId }, query, context, requestId, left }, wire) => {
    const { currency = baseCurrency, limit = STATEMENT_LINES.usual, format, cursor } = query;
    const { marketplaceId } = context;
    const { open } = wire;
    const isDocument = format === 'html' || format === 'pdf';
    if (isDocument) refusePaging(query);
    const range = statementRange(query, now());
    const { from, to } = range;
    const read = (request: StatementRequest): Promise<StatementPage | null> =>
      inTurn({ key: marketplaceId, left }, () => statements.read(request));
    if (isDocument) {
      const request = { marketplaceId, userId, currency, from, to };
      const document = found(await statementDocument({ request, read }));
      const fileName = `statement-${userId}-${currency}-${from.slice(0, 10)}`;
      await documents.send({ marketplaceId, document, format, fileName, left }, wire);
      return;
    }
    const page = found(await read({ marketplaceId, userId, currency, limit, ...range }));
    const nextCursor = page.next && formatCursor(range, page.next);
    const head = { userId, currency, from, to, nextCursor, isFirst: cursor === undefined };
    const isTable = format === undefined ? prefersCsv(wire.request.headers.accept) : format === 'csv';
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
