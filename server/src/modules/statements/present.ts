// A statement in replies: as JSON fields, and as CSV that a spreadsheet can open. The document for people is in document.ts.

import type { Counterparty } from '@holdfast/contract/api/statements.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { csvRow, plainText } from '../../base/csv.ts';
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

export const presentBalances = ({ available, reserved }: StatementPage['opening']) => ({
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

type BalanceRows = { readonly move: string; readonly time: string; readonly balances: StatementPage['opening'] };

const balanceRows = ({ move, time, balances }: BalanceRows): string =>
  csvRow([time, 'available', move, '', '', '', '', presentExact(balances.available)]) +
  csvRow([time, 'reserved', move, '', '', '', '', presentExact(balances.reserved)]);

const lineRow = (line: StatementLine): string => {
  const { time, account, move, description, reference, counterparty, amount, balanceAfter } = presentLine(line);
  return csvRow([
    time,
    account,
    move,
    plainText(description),
    plainText(reference),
    counterparty,
    amount,
    balanceAfter,
  ]);
};

/** The first page has the opening balance and the last page the closing balance. */
export const statementTable = (page: StatementPage, { from, to, nextCursor, isFirst }: StatementHead): string =>
  [
    csvRow(COLUMNS),
    isFirst ? balanceRows({ move: 'opening_balance', time: from, balances: page.opening }) : '',
    ...page.lines.map(lineRow),
    nextCursor === null ? balanceRows({ move: 'closing_balance', time: to, balances: page.closing }) : '',
  ].join('');
