// Documents for people: the statement of a user and the receipt of an order, on the screen or as a file; and the public link of a
// receipt.

import { writeFile } from 'node:fs/promises';
import type { Receipt, StatementLine } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { action, type Run } from '../run.ts';
import type { Column } from '../view/table.ts';

type FileOptions = { readonly pdf?: string; readonly html?: string };

type StatementOptions = FileOptions & {
  readonly csv?: string;
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
  readonly currency?: string;
};

const LINES: readonly Column<StatementLine>[] = [
  { title: 'time', of: ({ time }) => time },
  { title: 'balance', of: ({ account }) => account },
  { title: 'change', of: ({ move }) => move },
  { title: 'description', of: ({ description }) => description, flexible: true },
  { title: 'reference', of: ({ reference }) => reference, minor: true },
  { title: 'amount', align: 'right', of: ({ amount }) => amount },
  { title: 'after', align: 'right', of: ({ balanceAfter }) => balanceAfter },
];

/** The format and the name of the file; null: no file. */
const fileOf = ({ pdf, html }: FileOptions): { format: 'pdf' | 'html'; name: string } | null => {
  if (pdf !== undefined && html !== undefined) throw wrongUsage('Give --pdf or --html, not both.');
  if (pdf !== undefined) return { format: 'pdf', name: pdf };
  return html === undefined ? null : { format: 'html', name: html };
};

const save = async ({ out }: Run<unknown>, file: { name: string; bytes: Uint8Array }): Promise<void> => {
  await writeFile(file.name, file.bytes);
  if (out.isJson) out.json({ file: file.name, bytes: file.bytes.length });
  else out.line(`${file.name}: ${file.bytes.length} bytes.`);
};

export const addStatementCommand = (program: Command): void => {
  define(program, {
    name: 'statement <userId>',
    what: 'every change of a balance in a month or another range, on the screen or as a PDF, HTML or CSV file',
    examples: [
      'holdfast statement usr_01J… --month 2026-11',
      'holdfast statement usr_01J… --month 2026-11 --pdf november.pdf',
    ],
  })
    .option('--month <month>', 'a month in UTC, such as 2026-11')
    .option('--from <time>', 'beginning of the range; without it, the last 30 days')
    .option('--to <time>', 'end of the range')
    .option('--currency <code>', 'the currency; without it, the base currency')
    .option('--pdf <file>', 'write a PDF file')
    .option('--html <file>', 'write an HTML file')
    .option('--csv <file>', 'write a CSV file, for a spreadsheet')
    .action(
      action<StatementOptions>(async (run, [id]) => {
        const { client, out, options } = run;
        const { month, from, to, currency } = options;
        const query = {
          ...(month === undefined ? {} : { month }),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
          ...(currency === undefined ? {} : { currency: currency as 'USD' }),
        };
        if (options.csv !== undefined && (options.pdf ?? options.html) !== undefined)
          throw wrongUsage('Give one of --pdf, --html and --csv.');
        if (options.csv !== undefined) {
          const bytes = Buffer.from(await client.users.statementCsv(id!, query));
          return save(run, { name: options.csv, bytes });
        }
        const file = fileOf(options);
        if (file) {
          const bytes = await client.users.statementFile(id!, { ...query, format: file.format });
          return save(run, { name: file.name, bytes });
        }
        const statement = await client.users.statement(id!, query);
        if (out.isJson) return out.json(statement);
        out.facts([
          ['currency', statement.currency],
          ['from', statement.from],
          ['to', statement.to],
          ['opening', statement.opening.total],
          ['closing', statement.closing.total],
        ]);
        out.line('');
        out.table(statement.lines, LINES);
        if (statement.hasMore)
          out.note('There are more lines. Write a file with --csv, --pdf or --html, or choose a shorter range.');
        return undefined;
      }),
    );
};

const showReceipt = ({ out }: Run<unknown>, receipt: Receipt): void => {
  out.facts([
    ['order', receipt.orderId],
    ['title', receipt.title],
    ['status', receipt.finalStatus ?? receipt.status],
    ['buyer', receipt.buyer.name],
    ['seller', receipt.seller.name],
    ['paid into escrow', `${receipt.funded} ${receipt.currency}`],
    ['released', receipt.released],
    ['platform fee', receipt.platformFee],
    ['seller received', receipt.sellerNet],
    ['buyer got back', receipt.refunded],
    ['still in escrow', receipt.inEscrow],
    ['contract', receipt.contractId],
    ['public link until', receipt.publicLink?.expiresAt ?? null],
  ]);
  out.line('');
  out.table(receipt.transactions, [
    { title: 'time', of: ({ at }) => at },
    { title: 'call', of: ({ call }) => call },
    { title: 'transaction', of: ({ hash }) => hash },
  ]);
};

type ReceiptOptions = FileOptions & { readonly link?: boolean; readonly revokeLink?: boolean; readonly days?: string };

const DAYS = /^\d{1,3}$/;

const changeLink = async ({ client, out, options }: Run<ReceiptOptions>, id: string): Promise<void> => {
  if (options.revokeLink) {
    const { revokedAt } = await client.orders.revokeReceiptLink(id);
    if (out.isJson) out.json({ revokedAt });
    else out.line('The public link does not work any more.');
    return;
  }
  const { days } = options;
  if (days !== undefined && !DAYS.test(days)) throw wrongUsage('--days is a whole number from 1 to 365.');
  const link = await client.orders.createReceiptLink(id, days === undefined ? {} : { expiresInDays: Number(days) });
  if (out.isJson) out.json(link);
  else out.lines([link.url, `It works until ${link.expiresAt}, and is not shown again.`]);
};

export const addReceiptCommand = (orders: Command): void => {
  define(orders, {
    name: 'receipt <orderId>',
    what: 'the receipt of an order: amounts, fees and hashes; also as a file, or with a public link',
    examples: [
      'holdfast orders receipt ord_01J… --pdf receipt.pdf',
      'holdfast orders receipt ord_01J… --link --days 7',
    ],
  })
    .option('--pdf <file>', 'write a PDF file')
    .option('--html <file>', 'write an HTML file')
    .option('--link', 'create a public link; it replaces an earlier one')
    .option('--days <n>', 'how long the link works; 30 days without it')
    .option('--revoke-link', 'revoke the public link')
    .action(
      action<ReceiptOptions>(async (run, [id]) => {
        const { client, out, options } = run;
        if (options.link || options.revokeLink) return changeLink(run, id!);
        const file = fileOf(options);
        if (file) return save(run, { name: file.name, bytes: await client.orders.receiptFile(id!, file.format) });
        const receipt = await client.orders.receipt(id!);
        return out.isJson ? out.json(receipt) : showReceipt(run, receipt);
      }),
    );
};
