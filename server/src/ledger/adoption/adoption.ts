// Brings the rows of our wallets up to the ledger when the database is older than the ledger: after the restore of a backup, or when a
// lagging copy took over. Each unknown transaction is matched with the requests that are open, booked, and ends what it was for. A
// payment that nothing explains is not booked: its wallet is held until an operator accepts it.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Answer, unknown, yes } from '../../base/answer.ts';
import { formatInstant } from '../../base/instant.ts';
import { createQueues } from '../../base/one-at-a-time.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { AccountTransaction, LedgerAsset } from '../../providers/ports.ts';
import type { Ledger } from '../transactions/ledger.ts';
import type { LedgerTransaction } from '../transactions/ledger-transaction.ts';
import type { ReadOutcome } from '../transactions/outcome.ts';
import type { LedgerTransactionReads, OpenTransaction } from '../transactions/queries.ts';
import type { Settle } from '../transactions/settle.ts';
import { BooksBehind } from '../transactions/wallet-payment.ts';
import { adoptTransaction } from './adopt-transaction.ts';
import { createLookAhead } from './look-ahead.ts';
import { type BeginForgottenEscrow, createMatching, type Unexplained } from './match-transaction.ts';
import { isFirstNumber, readMissing } from './missing-transactions.ts';
import type { AdoptionReads } from './queries.ts';

/** A transaction of the ledger with payments that no request explains. */
export type UnexplainedTransaction = {
  readonly hash: string;
  readonly at: string;
  readonly payments: readonly Unexplained[];
};

/** What happens with payments that nothing explains. */
export type UnexplainedPayments = {
  /** The hashes that an operator is shown, and those that one has accepted: their payments are booked as a loss of the operator. */
  decisionsOf(place: OpenTransaction): Promise<{ shown: ReadonlySet<string>; accepted: ReadonlySet<string> }>;
  /** Holds the wallet and shows the transactions. */
  report(place: OpenTransaction, transactions: readonly UnexplainedTransaction[]): Promise<void>;
};

export type AdoptionOptions = {
  readonly submit: Submit;
  readonly ledger: Pick<Ledger, 'transactionsOf' | 'paymentsOf' | 'passphrase'>;
  readonly reads: AdoptionReads;
  readonly transactions: Pick<LedgerTransactionReads, 'find' | 'findOpen'>;
  readonly readOutcome: ReadOutcome;
  readonly settle: Settle;
  readonly usdc: LedgerAsset;
  readonly usdcCurrency: Currency;
  readonly unexplained: UnexplainedPayments;
  readonly beginEscrow?: BeginForgottenEscrow;
  onTrouble(message: string, error: unknown): void;
};

export type Adoption = {
  /** Whether the transaction that used this number of the wallet is known: only then may the next number be signed. */
  isKnown(place: OpenTransaction, sequence: bigint): Promise<boolean>;
  /** Whether a transaction of ours has used this number: then it cannot be signed again. */
  isUsed(place: OpenTransaction, sequence: bigint): Promise<boolean>;
  /** Yes: the books contain everything that the ledger shows of this wallet. */
  adopt(place: OpenTransaction): Promise<Answer<null>>;
  /** Whether the answer is that the wallet is held: everything of it was read, and an operator has to decide. */
  isHeld(adopted: Answer<unknown>): boolean;
};

type Placed = { readonly marketplaceId: string; readonly transaction: AccountTransaction };

type Next = Placed & {
  /** Everything that the ledger had before this transaction is in the books. */
  readonly isComplete: boolean;
  /** The transactions after this one that are not in the books, of all wallets. A function, because there may be many of them. */
  later(): readonly AccountTransaction[];
};

const contextOf = ({ marketplaceId, transaction }: Placed): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'adoption' },
  requestId: `ledger-${transaction.hash}`,
});

const HELD = 'The ledger has a payment of this wallet that nothing in the books explains, so the wallet is held.';

const waiting = (reason: string) => unknown(reason, { code: 'unclear', untouched: true });

const settleWith = async (
  { readOutcome, settle }: AdoptionOptions,
  {
    placed,
    row,
    isComplete,
  }: { readonly placed: Placed; readonly row: LedgerTransaction; readonly isComplete: boolean },
): Promise<Answer<null>> => {
  const outcome = await readOutcome(row, placed.marketplaceId);
  if (outcome.kind !== 'yes') return waiting(outcome.reason);
  if (outcome.value === null) return waiting('The ledger does not show the transaction any more.');
  await settle({
    context: contextOf(placed),
    transaction: row,
    ending: outcome.value,
    isLastTry: false,
    adoption: { isComplete },
  });
  return yes(null);
};

/**
 * The open transaction of the wallet, when the ledger has gone beyond its number. If another transaction has used the number, it can no
 * longer be included. Otherwise it is on the ledger itself, and its own outcome counts.
 */
const endOvertaken = async (options: AdoptionOptions, placed: Placed): Promise<Answer<null>> => {
  const { marketplaceId, transaction } = placed;
  const open = await options.transactions.findOpen({ marketplaceId, source: transaction.source });
  if (open === null || open.id === transaction.hash) return yes(null);
  const sequence = BigInt(open.sequence);
  if (sequence > transaction.sequence) return waiting('A transaction of this wallet is in progress.');
  if (sequence < transaction.sequence) return settleWith(options, { placed, row: open, isComplete: true });
  const expired = { kind: 'expired' } as const;
  await options.settle({ context: contextOf(placed), transaction: open, ending: expired, isLastTry: true });
  return yes(null);
};

const createAdoptOne = (options: AdoptionOptions) => {
  const { submit, transactions, unexplained } = options;
  const matching = { ...options, networkPassphrase: options.ledger.passphrase };
  const match = createMatching(matching);
  const lookAhead = createLookAhead(matching);

  /** Whether the wallet is held because of these payments of the transaction. An operator is then shown its later ones too. */
  const isHeld = async ({ marketplaceId, transaction, ...next }: Next, payments: readonly Unexplained[]) => {
    const { hash, source, at } = transaction;
    if (payments.length === 0) return false;
    const { shown, accepted } = await unexplained.decisionsOf({ marketplaceId, source });
    if (accepted.has(hash)) return false;
    const missing = next.later();
    const unseen = missing.filter((one) => one.source === source && !shown.has(one.hash) && !accepted.has(one.hash));
    const more = await lookAhead({ marketplaceId, unseen, missing });
    await unexplained.report({ marketplaceId, source }, [{ hash, at, payments }, ...more]);
    return true;
  };

  /** The row of the transaction; a text says why there is none. */
  const record = async (next: Next): Promise<LedgerTransaction | string> => {
    const { hash, source, at, envelope, ...transaction } = next.transaction;
    const matched = await match(next);
    if (matched === null) return 'The ledger has a transaction of this wallet that cannot be read.';
    const { actions, unexplained: payments } = matched;
    if (await isHeld(next, payments)) return HELD;
    const sequence = String(transaction.sequence);
    const input = { id: hash, source, sequence, envelope, validUntil: formatInstant(Date.parse(at) * 1_000), actions };
    return runCommand(submit, { command: adoptTransaction, input, context: contextOf(next) });
  };

  return async (next: Next): Promise<Answer<null>> => {
    const { marketplaceId, transaction, isComplete } = next;
    const free = await endOvertaken(options, next);
    if (free.kind !== 'yes') return free;
    const row = (await transactions.find(marketplaceId, transaction.hash)) ?? (await record(next));
    return typeof row === 'string' ? waiting(row) : settleWith(options, { placed: next, row, isComplete });
  };
};

export const createAdoption = (options: AdoptionOptions): Adoption => {
  const { reads, onTrouble } = options;
  const queues = createQueues();
  const adoptOne = createAdoptOne(options);

  /** In the order of the ledger. What a held wallet has paid is not in the books, so nothing that may depend on it is booked either. */
  const adoptAll = async (place: OpenTransaction): Promise<Answer<null>> => {
    const missing = await readMissing(options, place);
    if (missing.kind !== 'yes') return missing;
    const held = new Map<string, Answer<null>>();
    for (const [at, transaction] of missing.value.entries()) {
      const { source } = transaction;
      if (held.has(source)) continue;
      const later = () => missing.value.slice(at + 1);
      const next = { marketplaceId: place.marketplaceId, transaction, later, isComplete: held.size === 0 };
      const adopted = await adoptOne(next).catch((error: unknown) => {
        if (!(error instanceof BooksBehind)) onTrouble('a transaction of the ledger could not be adopted yet', error);
        return waiting('A transaction of the ledger could not be written into the books yet.');
      });
      if (adopted.kind !== 'yes') held.set(source, adopted);
    }
    return held.get(place.source) ?? yes(null);
  };

  return {
    isUsed: reads.isNumberUsed,
    isHeld: (adopted) => adopted.kind === 'unknown' && adopted.reason === HELD,
    isKnown: async (place, sequence) => isFirstNumber(sequence) || reads.isNumberUsed(place, sequence),
    adopt: (place) =>
      queues.run(place.marketplaceId, () =>
        adoptAll(place).catch((error: unknown) => {
          onTrouble('the transactions of a wallet could not be compared with the ledger', error);
          return waiting('The books could not be compared with the ledger.');
        }),
      ),
  };
};
