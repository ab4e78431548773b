// The formats of an exported journal. Each format has a head, a text for each transfer, and a last line with the count and the hash.

import type { JournalFormat } from '@holdfast/contract/api/exports.ts';
import { csvRow, plainText } from '../../base/csv.ts';
import { formatExact } from '../../books/money.ts';
import { beancountName, type ExportAccount, exportAccount } from './account-names.ts';
import type { JournalRange } from './journal.ts';
import type { Transfer } from './transfer.ts';

/** A transfer as every format shows it. */
type JournalLine = {
  readonly id: string;
  readonly at: string;
  readonly move: string;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string | null;
  readonly orderId: string | null;
  readonly userId: string | null;
  readonly description: string | null;
};

type FileEnd = { readonly count: number; readonly sha256: string } & Pick<JournalRange, 'from' | 'to'>;

export type Format = {
  readonly contentType: string;
  readonly extension: string;
  head(range: JournalRange): string;
  line(line: JournalLine): string;
  end(end: FileEnd): string;
};

const COLUMNS = [
  'id',
  'at',
  'move',
  'from',
  'to',
  'amount',
  'currency',
  'reference',
  'orderId',
  'userId',
  'description',
] as const satisfies readonly (keyof JournalLine)[];

const orderNamedBy = (reference: string | null): string | null =>
  reference?.startsWith('ord_') === true ? reference : null;

/** `number` counts the transfers of one audit entry, so an id is the same in every export. */
export const journalLine = (transfer: Transfer, number: number): JournalLine => {
  const { auditSeq, postedAt, move, amount, reference, description } = transfer;
  const from: ExportAccount = exportAccount(transfer.from, move);
  const to: ExportAccount = exportAccount(transfer.to, move);
  if (from.currency !== to.currency) throw new Error(`the transfer ${auditSeq} changes its currency`);
  return {
    id: `${auditSeq}-${number}`,
    at: postedAt,
    move,
    from: from.name,
    to: to.name,
    amount: formatExact(amount),
    currency: to.currency,
    reference,
    orderId: to.orderId ?? from.orderId ?? orderNamedBy(reference),
    userId: to.userId ?? from.userId,
    description,
  };
};

const csvLine = (line: JournalLine): string => {
  const texts = { ...line, reference: plainText(line.reference), description: plainText(line.description) };
  return csvRow(COLUMNS.map((column) => texts[column] ?? ''));
};

const endText = ({ count, sha256, from, to }: FileEnd): string =>
  `count=${count} sha256=${sha256} from=${from ?? 'beginning'} to=${to}`;

const headText = ({ marketplaceId, from, to }: JournalRange): string =>
  `Holdfast journal of ${marketplaceId}, from ${from ?? 'the first posting'} to ${to}`;

/** A text on one line, without what ends a description, a tag or a comment. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the signs that are replaced
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029;|,]+/g, ' ').trim();

const tagsOf = ({ id, at, reference, orderId, userId }: JournalLine): [string, string][] =>
  Object.entries({ id, at, order: orderId, user: userId, reference }).filter(
    (tag): tag is [string, string] => tag[1] !== null,
  );

const dayOf = ({ at }: JournalLine): string => at.slice(0, 10);

/**
 * Bookkeeping tools show what is owned as positive and what is owed as negative. So the account that the money is taken from in our books,
 * where holdings are negative, gets the positive amount.
 */
const hledgerLine = (line: JournalLine): string => {
  const tags = tagsOf(line).map(([name, value]) => `    ; ${name}: ${oneLine(value)}\n`);
  const note = line.description === null ? '' : ` | ${oneLine(line.description)}`;
  return `\n${dayOf(line)} * ${line.move}${note}\n${tags.join('')}    ${line.from}  ${line.amount} ${line.currency}
    ${line.to}  -${line.amount} ${line.currency}\n`;
};

const quoted = (text: string): string => `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const beancountLine = (line: JournalLine): string => {
  const tags = tagsOf(line).map(([name, value]) => `  ${name}: ${quoted(value)}\n`);
  return `\n${dayOf(line)} * ${quoted(line.move)} ${quoted(line.description ?? '')}
${tags.join('')}  ${beancountName(line.from)}  ${line.amount} ${line.currency}
  ${beancountName(line.to)}  -${line.amount} ${line.currency}\n`;
};

export const FORMATS: Readonly<Record<JournalFormat, Format>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    extension: 'csv',
    head: () => csvRow(COLUMNS),
    line: csvLine,
    end: (end) => `# ${endText(end)}\r\n`,
  },
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'jsonl',
    head: () => '',
    line: (line) => `${JSON.stringify(line)}\n`,
    end: (end) => `${JSON.stringify(end)}\n`,
  },
  hledger: {
    contentType: 'text/plain; charset=utf-8',
    extension: 'journal',
    head: (range) => `; ${headText(range)}\n`,
    line: hledgerLine,
    end: (end) => `; ${endText(end)}\n`,
  },
  beancount: {
    contentType: 'text/plain; charset=utf-8',
    extension: 'beancount',
    // The plugin opens each account at its first posting, so the file needs no list of accounts.
    head: (range) => `; ${headText(range)}\nplugin "beancount.plugins.auto_accounts"\n`,
    line: beancountLine,
    end: (end) => `; ${endText(end)}\n`,
  },
};
