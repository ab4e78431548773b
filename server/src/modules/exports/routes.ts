// The route of the exported journal.

import { exportJournal, type JournalFormat } from '@holdfast/contract/api/exports.ts';
import { createGates } from '../../base/concurrency.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant, momentOf } from '../../base/instant.ts';
import { type Route, raw } from '../../http/route.ts';
import { openFile } from '../../http/send-file.ts';
import { validationError } from '../../http/validation/messages.ts';
import { FORMATS, journalLine } from './formats.ts';
import type { Journal, JournalRange } from './journal.ts';
import type { Transfer } from './transfer.ts';

type Parts = {
  readonly journal: Journal;
  /** Microseconds. */
  now(): number;
};

type JournalQuery = { readonly from?: string; readonly to?: string; readonly offset?: number };

const RETRY_AFTER_S = 5;
/** Lines that are sent as one piece. */
const CHUNK_LINES = 500;

const exportRuns = (): DomainError =>
  new DomainError('TOO_MANY_HEAVY_READS', {
    message: 'This marketplace already runs an export in this process of the server. Wait until it has ended.',
    details: { limit: 1, retryAfter: RETRY_AFTER_S },
  });

const rangeOf = ({ from, to, offset = 0 }: JournalQuery, nowMicros: number): Omit<JournalRange, 'marketplaceId'> => {
  const end = to === undefined ? nowMicros : momentOf(to);
  const start = from === undefined ? null : momentOf(from);
  if (end > nowMicros) throw validationError(['to must not be in the future']);
  if (start !== null && start >= end) throw validationError(['from must be before to']);
  if (offset > 0 && to === undefined) {
    throw validationError(['offset needs to: send the from and to of the file that you continue']);
  }
  return { from: start === null ? null : formatInstant(start), to: formatInstant(end) };
};

/** Numbers the transfers of each audit entry from one. */
const numbering = () => {
  let entry = 0n;
  let number = 0;
  return ({ auditSeq }: Transfer): number => {
    number = auditSeq === entry ? number + 1 : 1;
    entry = auditSeq;
    return number;
  };
};

type Sending = { readonly journal: Journal; readonly format: JournalFormat; readonly range: JournalRange };

const sendJournal = async (
  file: ReturnType<typeof openFile>,
  { journal, format, range }: Sending,
): Promise<boolean> => {
  const { head, line, end } = FORMATS[format];
  const numberOf = numbering();
  let count = 0;
  // The head waits for the first window, so that an archive that cannot be read is an error and not a broken file.
  let start = head(range);
  for await (const transfers of journal.read(range)) {
    for (let at = 0; at < transfers.length; at += CHUNK_LINES) {
      const chunk = transfers.slice(at, at + CHUNK_LINES);
      const texts = chunk.map((transfer) => line(journalLine(transfer, numberOf(transfer))));
      await file.write(start + texts.join(''));
      start = '';
    }
    count += transfers.length;
  }
  if (start !== '') await file.write(start);
  const { from, to } = range;
  return file.end(end({ count, sha256: file.sha256(), from, to }));
};

const fileName = ({ from, to }: JournalRange, extension: string): string =>
  `journal-${from?.slice(0, 10) ?? 'beginning'}-${to.slice(0, 10)}.${extension}`;

export const exportRoutes = ({ journal, now }: Parts): Route[] => {
  const gates = createGates({ atOnce: 1, waitingMax: 0, refusal: exportRuns });
  return [
    raw(exportJournal, async ({ query, context: { marketplaceId } }, { request, open }) => {
      const { format = 'csv', offset = 0 } = query;
      const range = { marketplaceId, ...rangeOf(query, now()) };
      const { contentType, extension } = FORMATS[format];
      const headers = {
        'content-type': contentType,
        'content-disposition': `attachment; filename="${fileName(range, extension)}"`,
        // A client that sent no end needs it to continue the file.
        'x-journal-to': range.to,
      };
      await gates({ key: marketplaceId }, async () => {
        const file = openFile({ offset, hasLeft: () => request.socket.destroyed, open: () => open(200, headers) });
        if (await sendJournal(file, { journal, format, range })) return;
        throw validationError(['offset must be less than the size of the file']);
      });
    }),
  ];
};
