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
  /** True when the page begins with the first line of the range. */
  readonly isFirst: boolean;
};

const presentBalances = ({ available, reserved }: StatementPage['opening']) => ({
  available: presentExact(available),
  reserved: presentExact(reserved),
  total: presentExact(plus(available, reserved)),
});

/** The ids of accounts name the counterparty. */
const KINDS: readonly (readonly [RegExp, Counterparty])[] = [
  [/^usr_\w+:/, 'own_balance'],
  [/^operator:late-topups:/, 'payment_provider'],
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

type BalanceRows = { readonly move: string; readonly time: string; readonly balances: StatementPage['opening'] };

const balanceRows = ({ move, time, balances }: BalanceRows): string =>
  row([time, 'available', move, '', '', '', '', presentExact(balances.available)]) +
  row([time, 'reserved', move, '', '', '', '', presentExact(balances.reserved)]);

const lineRow = (line: StatementLine): string => {
  const { time, account, move, description, reference, counterparty, amount, balanceAfter } = presentLine(line);
  return row([time, account, move, text(description), text(reference), counterparty, amount, balanceAfter]);
};

/** The first page has the opening balance and the last page the closing balance. */
export const statementTable = (page: StatementPage, { from, to, nextCursor, isFirst }: StatementHead): string =>
  [
    row(COLUMNS),
    isFirst ? balanceRows({ move: 'opening_balance', time: from, balances: page.opening }) : '',
    ...page.lines.map(lineRow),
    nextCursor === null ? balanceRows({ move: 'closing_balance', time: to, balances: page.closing }) : '',
  ].join('');
