// One answer of the ledger is not enough to credit money: every payment to our wallets is read a second time, from another list than the
// page that showed it. A few transactions are read one by one, many of them with the payments of their ledger. The amount of a merged
// account is in the effects and in the result of the transaction.

import { type Answer, type Unknown, unknown, yes } from '../../base/answer.ts';
import type { LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';
import { type Arrival, sameAsset } from './arrivals.ts';
import { ledgerOf, operationOf } from './ledger-cursor.ts';

export type ConfirmingNetwork = Pick<LedgerNetwork, 'paymentsOf' | 'ledgerPayments' | 'mergeResult'>;

export const UNSURE: Unknown = unknown('The ledger showed a payment in two ways.', {
  code: 'unclear',
  untouched: true,
});

/** Up to so many transactions of a ledger are read one by one: a ledger may have thousands of payments. */
const TRANSACTIONS_MAX = 2;

const isSame = (arrival: Arrival, again: LedgerPayment | undefined): boolean =>
  again?.successful === true &&
  again.transactionHash === arrival.transactionHash &&
  again.from === arrival.from &&
  again.to === arrival.wallet.address &&
  sameAsset(again.asset, arrival.asset) &&
  again.amount === arrival.amount;

const readTransactions = async (
  network: ConfirmingNetwork,
  hashes: ReadonlySet<string>,
): Promise<Answer<LedgerPayment[]>> => {
  const payments: LedgerPayment[] = [];
  for (const hash of hashes) {
    const read = await network.paymentsOf(hash);
    if (read.kind !== 'yes') return read;
    payments.push(...read.value);
  }
  return yes(payments);
};

type Part = { readonly ledger: bigint; readonly first: bigint; readonly last: bigint };

const readLedger = async (
  network: ConfirmingNetwork,
  { ledger, first, last }: Part,
): Promise<Answer<LedgerPayment[]>> => {
  const payments: LedgerPayment[] = [];
  let cursor = String(first - 1n);
  for (;;) {
    const page = await network.ledgerPayments({ ledger, cursor });
    if (page.kind !== 'yes') return page;
    payments.push(...page.value.payments);
    if (page.value.isLast || page.value.cursor === null || BigInt(page.value.cursor) >= last) return yes(payments);
    cursor = page.value.cursor;
  }
};

const readAgain = (network: ConfirmingNetwork, arrivals: readonly Arrival[]): Promise<Answer<LedgerPayment[]>> => {
  const hashes = new Set(arrivals.map(({ transactionHash }) => transactionHash));
  if (hashes.size <= TRANSACTIONS_MAX) return readTransactions(network, hashes);
  const operations = arrivals.map(({ id }) => operationOf(id));
  const first = operations.reduce((a, b) => (a < b ? a : b));
  const last = operations.reduce((a, b) => (a > b ? a : b));
  return readLedger(network, { ledger: ledgerOf(String(first)), first, last });
};

/** Returns those that the second read does not show in the same way. */
export const findDisputed = async (
  network: ConfirmingNetwork,
  arrivals: readonly Arrival[],
): Promise<Answer<Arrival[]>> => {
  const disputed: Arrival[] = [];
  const payments = arrivals.filter(({ kind }) => kind === 'payment');
  for (const group of Map.groupBy(payments, ({ id }) => operationOf(id) >> 32n).values()) {
    const again = await readAgain(network, group);
    if (again.kind !== 'yes') return again;
    const byId = new Map(again.value.map((payment) => [payment.id, payment]));
    disputed.push(...group.filter((arrival) => !isSame(arrival, byId.get(arrival.id))));
  }
  for (const arrival of arrivals.filter(({ kind }) => kind === 'merge')) {
    const result = await network.mergeResult(arrival);
    if (result.kind !== 'yes') return result;
    if (result.value !== arrival.amount) disputed.push(arrival);
  }
  return yes(disputed);
};
