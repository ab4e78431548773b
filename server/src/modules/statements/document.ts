// A statement as a document for people: the owner, the opening, every line of the range, and the closing. The lines are read page by page. The
// last balances must be those of the closing, or the document is not finished.

import { STATEMENT_DOCUMENT_LINES, STATEMENT_LINES } from '@holdfast/contract/api/statements.ts';
import { ZERO } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import type { Document, Part } from '../../documents/document.ts';
import { presentExact } from '../../http/checked-values.ts';
import { validationError } from '../../http/validation/messages.ts';
import { presentBalances } from './present.ts';
import type { StatementLine, StatementPage, StatementPlace, StatementRequest } from './queries.ts';

type Reading = {
  readonly request: Omit<StatementRequest, 'after' | 'limit'>;
  /** Null: there is no such user. */
  read(request: StatementRequest): Promise<StatementPage | null>;
  /** Lines of one read; the largest page of the API without it. */
  readonly pageLines?: number;
};

const BEGINNING: StatementPlace = { available: 0n, reserved: 0n };

/** What a move means for the owner of the balance. */
const MEANINGS: Readonly<Partial<Record<MoveName, string>>> = {
  credit: 'Credited by the marketplace',
  debit: 'Debited by the marketplace',
  reserve: 'Reserved',
  release: 'Reservation released',
  cancel_reservation: 'Reservation cancelled',
  deduct_reserved: 'Deducted from the reserved balance',
  deposit: 'Deposit on the ledger',
  sync_gain: 'Deposit found on the ledger',
  sync_loss: 'Correction to the balance on the ledger',
  fund_escrow: 'Paid into escrow',
  pay_seller: 'Payment for an order',
  refund_buyer: 'Refund of an order',
  release_reversal: 'Payment for an order taken back',
  refund_reversal: 'Refund of an order taken back',
  funding_reversal: 'Returned from escrow',
  topup: 'Top-up',
  late_topup_credit: 'Late top-up',
  payout: 'Withdrawal paid out',
  withdrawal_paid: 'Withdrawal paid on the ledger',
  payout_shortfall: 'Part of a withdrawal that was not paid out',
  withdrawal_return: 'Withdrawal returned',
};

export const meaningOf = (move: string): string => MEANINGS[move as MoveName] ?? move.replaceAll('_', ' ');

/** `2026-11-15T09:30:00.000000Z` as people read it. */
export const shownTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

const COLUMNS = [
  { title: 'Date', width: 13 },
  { title: 'Description', width: 21 },
  { title: 'Order or reference', width: 19 },
  { title: 'Balance', width: 9 },
  { title: 'In', width: 12, isNumber: true },
  { title: 'Out', width: 12, isNumber: true },
  { title: 'Balance after', width: 14, isNumber: true },
];

const rowOf = ({ postedAt, move, description, reference, part, amount, balanceAfter }: StatementLine): string[] => [
  shownTime(postedAt),
  description === null ? meaningOf(move) : `${meaningOf(move)}: ${description}`,
  reference ?? '',
  part,
  amount > ZERO ? presentExact(amount) : '',
  amount < ZERO ? presentExact(amount).slice(1) : '',
  presentExact(balanceAfter),
];

const balanceFacts = (balances: StatementPage['opening']) => {
  const { available, reserved, total } = presentBalances(balances);
  return [
    { label: 'Available', value: available },
    { label: 'Reserved', value: reserved },
    { label: 'Total', value: total },
  ];
};

async function* linesOf({ request, read, pageLines }: Reading, first: StatementPage): AsyncGenerator<Part> {
  const limit = pageLines ?? STATEMENT_LINES.max;
  let left = first.count;
  let last = first.opening;
  for (let page: StatementPage | null = first; page !== null; ) {
    // A posting that was committed since the first page has a later place than all lines of the statement.
    const shown = left;
    const lines = page.lines.filter((_, at) => BigInt(at) < shown);
    left -= BigInt(lines.length);
    for (const { part, balanceAfter } of lines) last = { ...last, [part]: balanceAfter };
    yield { kind: 'rows', rows: lines.map(rowOf) };
    page = left > 0n && page.next !== null ? await read({ ...request, after: page.next, limit }) : null;
  }
  const { available, reserved } = first.closing;
  if (left !== 0n || last.available !== available || last.reserved !== reserved) {
    throw new Error('the lines of a statement do not lead to its closing balance');
  }
}

async function* partsOf(reading: Reading, first: StatementPage): AsyncGenerator<Part> {
  const { userId, currency, from, to, marketplaceId } = reading.request;
  yield {
    kind: 'facts',
    facts: [
      { label: 'User', value: first.ownerName },
      { label: 'User id', value: userId },
      { label: 'Marketplace', value: marketplaceId },
      { label: 'Currency', value: currency },
      { label: 'From', value: shownTime(from) },
      { label: 'To, exclusive', value: shownTime(to) },
      { label: 'Lines', value: String(first.count) },
    ],
  };
  yield { kind: 'section', title: 'Opening balance' };
  yield { kind: 'facts', facts: balanceFacts(first.opening) };
  yield { kind: 'section', title: 'Changes' };
  if (first.count === 0n) yield { kind: 'text', text: 'The balance did not change in this time.' };
  else {
    yield { kind: 'table', label: 'Changes of the balance', columns: COLUMNS };
    yield* linesOf(reading, first);
    yield { kind: 'end' };
  }
  yield { kind: 'section', title: 'Closing balance' };
  yield { kind: 'facts', facts: balanceFacts(first.closing) };
}

const MONTH_START = /^(\d{4}-\d{2})-01T00:00:00\.000000Z$/;

const periodOf = ({ from, to }: Pick<StatementRequest, 'from' | 'to'>): string => {
  const month = MONTH_START.exec(from)?.[1];
  const day = (time: string): string => time.slice(0, 10);
  const isMonth = month !== undefined && MONTH_START.test(to) && Date.parse(to) - Date.parse(from) < 32 * 86_400_000;
  return isMonth ? month : `${day(from)} to ${day(to)}`;
};

/** Null when there is no such user. Refuses a range with too many lines before anything is sent. */
export const statementDocument = async (reading: Reading): Promise<Document | null> => {
  const { request, read, pageLines: limit = STATEMENT_LINES.max } = reading;
  const first = await read({ ...request, after: BEGINNING, limit });
  if (first === null) return null;
  if (first.count > BigInt(STATEMENT_DOCUMENT_LINES)) {
    throw validationError([
      `the range has ${first.count} lines, and a document has at most ${STATEMENT_DOCUMENT_LINES}: choose a shorter range, or format=csv`,
    ]);
  }
  const { currency, to: at } = request;
  const head = { title: 'Account statement', subtitle: `${periodOf(request)}, ${currency}`, at };
  return { head, parts: partsOf(reading, first) };
};
