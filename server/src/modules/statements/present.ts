// A statement in replies: as JSON fields, and as CSV that a spreadsheet can open.

import type { Counterparty } from '@holdfast/contract/api/statements.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { plus } from '../../books/money.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { StatementLine, StatementPage } from './queries.ts';

type StatementHead = {
  readonly userId: string;
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly nextCursor: string | null;
  /** Whether it begins with the first line of its range. */
  readonly isFirst: boolean;
};

const presentBalances = ({ available, reserved }: StatementPage['opening']) => ({
  available: presentExact(available),
  reserved: presentExact(reserved),
  total: presentExact(plus(available, reserved)),
});

/** By what the ids of accounts begin with, or have in their middle. */
const KINDS: readonly (readonly [RegExp, Counterparty])[] = [
  [/^usr_\w+:/, 'own_balance'],
  [/^operator:/, 'operator'],
  [/^ord_\w+:escrow:/, 'escrow'],
  [/^platform:/, 'platform'],
  [/^(wallet|contract):/, 'ledger'],
  [/^payment-float:/, 'payment_provider'],
  [/^network:/, 'network'],
];

const counterpartyOf = ({ counterAccountId }: StatementLine): Counterparty =>
  KINDS.find(([pattern]) => pattern.test(counterAccountId))?.[1] ?? 'other';

const presentLine = (line: StatementLine) => ({
  time: line.postedAt,
  account: line.part,
  move: line.move,
  description: line.description,
  reference: line.reference,
  counterparty: counterpartyOf(line),
  amount: presentExact(line.amount),
  balanceAfter: presentExact(line.balanceAfter),
});

export const presentStatement = (page: StatementPage, { isFirst: _, nextCursor, ...head }: StatementHead) => ({
  ...head,
  opening: presentBalances(page.opening),
  lines: page.lines.map(presentLine),
  closing: presentBalances(page.closing),
  hasMore: nextCursor !== null,
  nextCursor,
});

const COLUMNS = ['time', 'account', 'move', 'description', 'reference', 'counterparty', 'amount', 'balance_after'];

/** A text that a caller wrote must not become a formula in a spreadsheet. */
const text = (value: string | null): string =>
  value !== null && /^[=+\-@\t\r]/.test(value) ? `'${value}` : (value ?? '');

const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

const row = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

const balanceRows = (move: string, { available, reserved }: StatementPage['opening'], time: string): string =>
  row([time, 'available', move, '', '', '', '', presentExact(available)]) +
  row([time, 'reserved', move, '', '', '', '', presentExact(reserved)]);

const lineRow = (line: StatementLine): string => {
  const { time, account, move, description, reference, counterparty, amount, balanceAfter } = presentLine(line);
  return row([time, account, move, text(description), text(reference), counterparty, amount, balanceAfter]);
};

/** The opening is in the first part of it and the closing in the last. */
export const statementTable = (page: StatementPage, { from, to, nextCursor, isFirst }: StatementHead): string =>
  [
    row(COLUMNS),
    isFirst ? balanceRows('opening_balance', page.opening, from) : '',
    ...page.lines.map(lineRow),
    nextCursor === null ? balanceRows('closing_balance', page.closing, to) : '',
  ].join('');
