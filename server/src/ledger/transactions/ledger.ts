// The part of the ledger network that the transaction sender and the treasury use, how they read an account, and what they remember of it:
// the last sequence numbers of our wallets and the time of the ledger. Only proposals come from the memory: no outcome is ever read there.

import { type Answer, type No, type Unknown, unknown, yes } from '../../base/answer.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { LedgerAccount, LedgerAsset, LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';
import { createKnownNumbers, type KnownNumbers } from './known-numbers.ts';

export type Ledger = Pick<
  LedgerNetwork,
  | 'passphrase'
  | 'account'
  | 'payments'
  | 'submit'
  | 'latestLedger'
  | 'friendbot'
  | 'transaction'
  | 'transactionWithPayments'
  | 'transactionsOf'
  | 'paymentsOf'
  | 'feeStats'
>;

/** A failed read says nothing about the money: it is unknown, also when the ledger refused the read. */
export const asUnknown = (answer: No | Unknown): Unknown =>
  answer.kind === 'unknown' ? answer : unknown(answer.reason, { code: 'unclear' });

/** The time at which the latest ledger closed, in milliseconds. */
export const ledgerTime = async (ledger: Pick<Ledger, 'latestLedger'>): Promise<Answer<number>> => {
  const latest = await ledger.latestLedger();
  return latest.kind === 'yes' ? yes(Date.parse(latest.value.closedAt)) : asUnknown(latest);
};

const isAsset = (one: LedgerAsset, { asset, usdc }: { asset: Asset; usdc: LedgerAsset }): boolean =>
  asset === 'XLM' ? one.issuer === null : one.code === usdc.code && one.issuer === usdc.issuer;

/** The balance of an account in one of our assets. */
export const onLedger = (account: LedgerAccount, of: { asset: Asset; usdc: LedgerAsset }): Amount =>
  account.balances.find((balance) => isAsset(balance.asset, of))?.amount ?? ZERO;

/** Whether a payment moved this asset. */
export const movesAsset = (payment: Pick<LedgerPayment, 'asset'>, of: { asset: Asset; usdc: LedgerAsset }): boolean =>
  isAsset(payment.asset, of);

export type LedgerMemory = {
  /** The ledger itself. What it answers is remembered. */
  readonly ledger: Ledger;
  readonly numbers: KnownNumbers;
  /**
   * The time of the ledger in milliseconds, to compare with the end of an envelope that is valid for at most `validMaxMs`. It is read at most
   * once per ledger. Where the remembered time would refuse the envelope, the ledger is read again.
   */
  timeFor(envelope: Envelope): Promise<Answer<number>>;
};

type Envelope = { readonly untilS: bigint; readonly validMaxMs: number };

type Seen = { readonly sequence: number; readonly closedAtMs: number; readonly seenAtMs: number };

/** A ledger closes every five seconds. */
const LEDGER_MS = 5_000;

const createLedgerTime = () => {
  let last: Seen | null = null;
  const isCurrent = (seen: Seen | null): seen is Seen => seen !== null && performance.now() - seen.seenAtMs < LEDGER_MS;
  return {
    see(sequence: number, closedAt: string): void {
      if (isCurrent(last) && last.sequence > sequence) return;
      last = { sequence, closedAtMs: Date.parse(closedAt), seenAtMs: performance.now() };
    },
    /** Null: the ledger has to be read. */
    now: (): number | null => (isCurrent(last) ? last.closedAtMs + (performance.now() - last.seenAtMs) : null),
  };
};

const remembering = (
  ledger: Ledger,
  { numbers, time }: { readonly numbers: KnownNumbers; readonly time: ReturnType<typeof createLedgerTime> },
): Ledger => ({
  ...ledger,
  async account(address, of) {
    const answer = await ledger.account(address, of);
    if (answer.kind !== 'yes' || answer.value === null) return answer;
    numbers.see(answer.value);
    return answer;
  },
  async transaction(hash) {
    const answer = await ledger.transaction(hash);
    if (answer.kind === 'yes' && answer.value.state !== 'missing') time.see(answer.value.ledger, answer.value.at);
    return answer;
  },
  async transactionWithPayments(hash) {
    const answer = await ledger.transactionWithPayments(hash);
    const transaction = answer.kind === 'yes' ? answer.value.transaction : null;
    if (transaction !== null && transaction.state !== 'missing') time.see(transaction.ledger, transaction.at);
    return answer;
  },
  async latestLedger() {
    const answer = await ledger.latestLedger();
    if (answer.kind === 'yes') time.see(answer.value.sequence, answer.value.closedAt);
    return answer;
  },
});

export const createLedgerMemory = (network: Ledger): LedgerMemory => {
  const numbers = createKnownNumbers();
  const time = createLedgerTime();
  const ledger = remembering(network, { numbers, time });
  return {
    ledger,
    numbers,
    async timeFor({ untilS, validMaxMs }) {
      const now = time.now();
      const untilMs = untilS * 1_000n;
      const isAccepted = now !== null && untilMs > now && untilMs <= now + validMaxMs;
      return isAccepted ? yes(now) : ledgerTime(ledger);
    },
  };
};
