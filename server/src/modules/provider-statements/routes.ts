// Routes of provider statements. The body of an upload may be larger than other bodies. A comparison is a heavy read. The file of a report
// takes a place among the heavy reads only while it is read, because its client may be slow.

import { hash } from 'node:crypto';
import * as api from '@holdfast/contract/api/provider-statements.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { StatementLineStatus } from '@holdfast/contract/states.ts';
import { createGates } from '../../base/concurrency.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant, momentOf } from '../../base/instant.ts';
import { badCursor, pageRequest } from '../../http/checked-values.ts';
import { list, type Route, raw, read, write } from '../../http/route.ts';
import { openFile } from '../../http/send-file.ts';
import { validationError } from '../../http/validation/messages.ts';
import { checkFileName } from '../evidence/file-rules.ts';
import { authorOf } from '../notes/routes.ts';
import { addStatement } from './add-statement.ts';
import type { Compared } from './compare.ts';
import { FILE_FORMATS, presentItem, presentReport, presentStatement } from './present.ts';
import type { StatementFileReads } from './queries.ts';
import { readBytes, readTable } from './read-file.ts';
import { readLines } from './read-lines.ts';
import { isAfter, isCursor, itemIdOf, type Reports } from './report.ts';

/** Microseconds. */
type Clock = { now(): number };

const DAY_MICROS = 86_400_000_000;

const rangeOf = ({ from, to }: { readonly from: string; readonly to: string }, nowMicros: number) => {
  const range = { from: momentOf(from), to: momentOf(to) };
  const problems: string[] = [];
  if (range.from >= range.to) problems.push('from must be before to');
  if (range.to > nowMicros)
    problems.push('to must not be in the future: upload the statement when its range has ended');
  if (range.to - range.from > LIMITS.providerStatementDays * DAY_MICROS) {
    problems.push(`the range must have at most ${LIMITS.providerStatementDays} days`);
  }
  if (problems.length > 0) throw validationError(problems);
  return range;
};

const upload = ({ now }: Clock): Route => ({
  ...write(api.addProviderStatement, {
    command: addStatement,
    input({ body, caller, context }) {
      const { system, fileName, toleranceMinutes = api.TOLERANCE_MINUTES, currency = null } = body;
      checkFileName(fileName);
      const range = rangeOf(body, now());
      const bytes = readBytes(body.content);
      const { lines, columns } = readLines(readTable(bytes), { columns: body.columns ?? {}, currency, ...range });
      const sha256 = hash('sha256', bytes, 'hex');
      const fromAt = formatInstant(range.from);
      const toAt = formatInstant(range.to);
      const same = JSON.stringify([sha256, system, fromAt, toAt, toleranceMinutes, currency, Object.entries(columns)]);
      const statement = {
        system,
        fileName,
        sha256,
        requestHash: hash('sha256', same, 'hex'),
        sizeBytes: bytes.length,
        lines: lines.length,
        fromAt,
        toAt,
        toleranceMinutes,
        columns,
        author: authorOf(caller, context),
      };
      return { statement, lines };
    },
    present: ({ statement }) => presentStatement(statement),
    status: ({ isNew }) => (isNew ? 201 : 200),
  }),
  bodyLimitBytes: LIMITS.providerStatementContentLength + LIMITS.bodyBytes,
});

export const providerStatementRoutes = (
  parts: Clock & { readonly files: Pick<StatementFileReads, 'list'> },
): Route[] => [
  upload(parts),
  list(api.listProviderStatements, async ({ query, context }) => {
    const page = await parts.files.list(pageRequest('providerStatement', { query, context }));
    return { items: page.rows.map(presentStatement), nextCursor: page.nextCursor };
  }),
];

const withStatus = (items: readonly Compared[], status: StatementLineStatus | undefined): readonly Compared[] =>
  status === undefined ? items : items.filter((item) => item.status === status);

/** Lines that are sent as one piece. */
const CHUNK_LINES = 500;

export const statementReportRoutes = ({ reports, now }: Clock & { readonly reports: Reports }): Route[] => [
  read(api.getProviderStatement, async ({ params: { id }, context: { marketplaceId } }) => {
    const report = await reports.read(marketplaceId, id);
    return presentReport(report, formatInstant(now()));
  }),
  list(api.listProviderStatementLines, async ({ params: { id }, query, context: { marketplaceId } }) => {
    const { limit = LIMITS.pageSizeDefault, cursor, status } = query;
    if (cursor !== undefined && !isCursor(cursor)) throw badCursor();
    const { items } = await reports.read(marketplaceId, id);
    const rest = withStatus(items, status).filter(cursor === undefined ? () => true : isAfter(cursor));
    const page = rest.slice(0, limit);
    const last = rest.length > limit ? page.at(-1) : undefined;
    return { items: page.map(presentItem), nextCursor: last ? itemIdOf(last) : null };
  }),
];

type Turn = { readonly key: string; readonly left?: AbortSignal | undefined };

type FileParts = {
  readonly reports: Reports;
  /** Runs a read as a heavy read of the marketplace. */
  inTurn<Data>(turn: Turn, read: () => Promise<Data>): Promise<Data>;
};

/** Of one marketplace, in this process. A report stays in memory until its client has taken it. */
const FILES = { atOnce: 2, waitingMax: 0 };
/** How long a client may take for the file of a report. */
const FILE_MS = 180_000;
const RETRY_AFTER_S = 5;

const tooManyFiles = (): DomainError =>
  new DomainError('TOO_MANY_HEAVY_READS', {
    message: 'This marketplace already downloads as many reports as it may at once. Wait until one has ended.',
    details: { limit: FILES.atOnce, retryAfter: RETRY_AFTER_S },
  });

export const statementFileRoutes = ({ reports, inTurn }: FileParts): Route[] => {
  const gates = createGates({ ...FILES, refusal: tooManyFiles });
  return [
    raw(api.exportProviderStatement, async ({ params: { id }, query, context, left }, { request, open }) => {
      const { marketplaceId } = context;
      const { format = 'csv', status } = query;
      const { contentType, head, line } = FILE_FORMATS[format];
      const headers = {
        'content-type': contentType,
        'content-disposition': `attachment; filename="provider-statement-${id}.${format}"`,
      };
      const turn = { key: marketplaceId, left };
      await gates(turn, async () => {
        const { items } = await inTurn(turn, () => reports.read(marketplaceId, id));
        const shown = withStatus(items, status);
        const hasLeft = (): boolean => request.socket.destroyed;
        const file = openFile({ offset: 0, hasLeft, withinMs: FILE_MS, open: () => open(200, headers) });
        await file.write(head);
        for (let at = 0; at < shown.length; at += CHUNK_LINES) {
          const chunk = shown.slice(at, at + CHUNK_LINES);
          await file.write(chunk.map((item) => line(presentItem(item))).join(''));
        }
        // A file without a head and without lines is empty.
        if (!(await file.end(''))) open(200, headers).end();
      });
    }),
  ];
};
