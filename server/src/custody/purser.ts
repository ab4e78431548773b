// Sends what our wallets do on the ledger: one transaction at a time per wallet, each kept before it is sent, each
// settled by what the ledger says. A crash at any point leaves a row from which any process goes on.

import type { Context, Submit } from '../commands/command.ts';
import { recordTransaction } from '../commands/record-transaction.ts';
import { type Ending, settleTransaction } from '../commands/settle-transaction.ts';
import { isFault } from '../domain/fault.ts';
import type { LedgerAction, LedgerTransaction } from '../domain/ledger-transaction.ts';
import type { Amount } from '../domain/money.ts';
import type { Wallet } from '../domain/wallet.ts';
import type { LedgerAsset } from '../providers/ports.ts';
import type { LedgerTransactionReads, OpenTransaction } from '../store/reads/ledger-transactions.ts';
import type { Draw } from './draw.ts';
import { createFates, type Fate } from './fate.ts';
import type { Ledger } from './ledger.ts';
import { createQueues } from './queues.ts';

export type SendAsk = {
  readonly marketplaceId: string;
  readonly wallet: Wallet;
  readonly purpose: string;
  readonly actions: readonly LedgerAction[];
};

/** `hash` is null when nothing was signed, so that asking again is safe; otherwise the purser itself goes on with it. */
export type Sent =
  /** `paid` says for each action how much the ledger really moved; null where it moves nothing. */
  | { readonly kind: 'yes'; readonly hash: string; readonly paid: readonly (Amount | null)[] }
  | { readonly kind: 'no' | 'unknown'; readonly hash: string | null; readonly reason: string };

/** The persisted steps on the way, in order. Tests stop here as a crash would. */
export type Step = 'signed' | 'recorded' | 'submitted' | 'looked-up' | 'settled';

export type PurserOptions = {
  readonly submit: Submit;
  readonly ledger: Ledger;
  readonly usdc: LedgerAsset;
  readonly draw: Draw;
  readonly transactions: Pick<LedgerTransactionReads, 'findOpen' | 'listOpen'>;
  /** Takes what came in at an address into the books. */
  takeIn(place: { marketplaceId: string; address: string }): Promise<unknown>;
  onSettled?(marketplaceId: string, transaction: LedgerTransaction): void;
  onTrouble(message: string, error: unknown): void;
  onStep?(step: Step, transactionId: string): void;
};

export type Purser = ReturnType<typeof createPurser>;

const ROUNDS = 5;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 30_000;
const RESUME_MAX = 1_000;

/**
 * Refusals of the envelope itself, which no ledger can have taken. Any other (a used sequence number, a failed operation)
 * may come from an earlier delivery that is only not to be seen yet: that is waited for until its time is over.
 */
const NEVER_INCLUDED = new Set([
  'tx_bad_auth',
  'tx_bad_auth_extra',
  'tx_insufficient_balance',
  'tx_insufficient_fee',
  'tx_malformed',
  'tx_missing_operation',
  'tx_no_source_account',
  'tx_not_supported',
]);

const keyOf = ({ marketplaceId, source }: OpenTransaction): string => `${marketplaceId}/${source}`;

const stateIn = (error: unknown): unknown => (isFault(error) ? error.details.currentState : null);

export const createPurser = (options: PurserOptions) => {
  const { submit, ledger, draw, transactions, onTrouble, onStep = () => {} } = options;
  const fateOf = createFates(options);
  const queues = createQueues();
  const retries = new Map<string, { timer: NodeJS.Timeout; waitMs: number }>();
  let closed = false;

  const contextOf = (marketplaceId: string, hash: string): Context => ({
    marketplaceId,
    actor: { type: 'system', id: 'purser' },
    requestId: `ledger-${hash}`,
  });

  const settle = async (marketplaceId: string, transaction: LedgerTransaction, ending: Ending): Promise<Sent> => {
    const { id: hash, source } = transaction;
    const context = contextOf(marketplaceId, hash);
    const attempt = () => submit({ command: settleTransaction, input: { transaction, ending }, context });
    const outcome = await attempt().catch(async (error) => {
      if (stateIn(error) !== 'BOOKS_BEHIND') throw error;
      await options.takeIn({ marketplaceId, address: 'feeAccount' in ending ? ending.feeAccount : source });
      return attempt();
    });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    onStep('settled', hash);
    options.onSettled?.(marketplaceId, outcome.reply);
    const { state, failure } = outcome.reply;
    return state === 'SUCCEEDED' && ending.kind === 'succeeded'
      ? { kind: 'yes', hash, paid: ending.paid }
      : { kind: 'no', hash, reason: failure ?? 'it failed' };
  };

  /** Settles when the fate is certain; otherwise it is looked at again later. */
  const conclude = async (marketplaceId: string, transaction: LedgerTransaction, fate: Fate): Promise<Sent> => {
    const { id: hash, source } = transaction;
    onStep('looked-up', hash);
    if (fate.kind !== 'pending' && fate.kind !== 'unknown') {
      try {
        return await settle(marketplaceId, transaction, fate);
      } catch (error) {
        onTrouble('a transaction could not be settled and will be tried again', error);
        lookAgainLater({ marketplaceId, source });
        return { kind: 'unknown', hash, reason: 'What it did could not be written into the books yet.' };
      }
    }
    lookAgainLater({ marketplaceId, source });
    return { kind: 'unknown', hash, reason: fate.kind === 'unknown' ? fate.reason : 'It is in no ledger yet.' };
  };

  /** The first time, a refusal is certain: nobody has sent this envelope before. */
  const deliver = async (
    marketplaceId: string,
    { transaction, isFirst }: { transaction: LedgerTransaction; isFirst: boolean },
  ): Promise<Sent> => {
    const answer = await ledger.submit(transaction.envelope);
    onStep('submitted', transaction.id);
    const fate = await fateOf(transaction);
    const isRejected =
      fate.kind === 'pending' && answer.kind === 'no' && isFirst && NEVER_INCLUDED.has(answer.code ?? '');
    return conclude(
      marketplaceId,
      transaction,
      isRejected ? { kind: 'rejected', reason: answer.code ?? answer.reason } : fate,
    );
  };

  /** Finishes what is on its way from this address. Null when nothing is. Only within the address's queue. */
  const finishOpen = async (place: OpenTransaction): Promise<Sent | null> => {
    const transaction = await transactions.findOpen(place);
    if (!transaction) return null;
    const fate = await fateOf(transaction);
    return fate.kind === 'pending'
      ? deliver(place.marketplaceId, { transaction, isFirst: false })
      : conclude(place.marketplaceId, transaction, fate);
  };

  const resume = async (place: OpenTransaction): Promise<void> => {
    const sent = await queues.run(keyOf(place), () => finishOpen(place));
    if (sent?.kind !== 'unknown') forgetRetry(keyOf(place));
  };

  const forgetRetry = (key: string): void => {
    clearTimeout(retries.get(key)?.timer);
    retries.delete(key);
  };

  const lookAgainLater = (place: OpenTransaction): void => {
    if (closed) return;
    const key = keyOf(place);
    const waitMs = Math.min((retries.get(key)?.waitMs ?? RETRY_FIRST_MS / 2) * 2, RETRY_MAX_MS);
    clearTimeout(retries.get(key)?.timer);
    const again = (): void => {
      resume(place).catch((error) => {
        onTrouble('a transaction could not be resumed and will be tried again', error);
        lookAgainLater(place);
      });
    };
    retries.set(key, { timer: setTimeout(again, waitMs).unref(), waitMs });
  };

  type Recorded = { kind: 'kept'; transaction: LedgerTransaction } | { kind: 'busy' } | Sent;

  const record = async (
    ask: SendAsk,
    drawn: Extract<Awaited<ReturnType<Draw>>, { kind: 'yes' }>,
  ): Promise<Recorded> => {
    const { id, envelope, validUntil } = drawn;
    const input = { id, envelope, validUntil, source: ask.wallet.address, purpose: ask.purpose, actions: ask.actions };
    try {
      const context = contextOf(ask.marketplaceId, id);
      const outcome = await submit({ command: recordTransaction, input, context });
      if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
      return { kind: 'kept', transaction: outcome.reply };
    } catch (error) {
      const state = stateIn(error);
      // Another process was first; its transaction has to be finished before ours can be drawn up.
      if (state === 'TRANSACTION_OPEN') return { kind: 'busy' };
      if (state !== null && state !== undefined) return { kind: 'no', hash: null, reason: (error as Error).message };
      // Perhaps it was kept all the same: then it is found and sent when this address is looked at again.
      onTrouble('a signed transaction could not be kept', error);
      lookAgainLater({ marketplaceId: ask.marketplaceId, source: ask.wallet.address });
      return { kind: 'unknown', hash: id, reason: 'The signed transaction could not be kept.' };
    }
  };

  const sendNow = async (ask: SendAsk): Promise<Sent> => {
    const place = { marketplaceId: ask.marketplaceId, source: ask.wallet.address };
    for (let round = 0; round < ROUNDS; round++) {
      const earlier = await finishOpen(place);
      if (earlier?.kind === 'unknown') {
        return { kind: 'unknown', hash: null, reason: `An earlier transaction is not settled: ${earlier.reason}` };
      }
      const drawn = await draw(ask);
      if (drawn.kind !== 'yes') return { ...drawn, hash: null };
      onStep('signed', drawn.id);
      const recorded = await record(ask, drawn);
      if (recorded.kind === 'busy') continue;
      if (recorded.kind !== 'kept') return recorded;
      onStep('recorded', drawn.id);
      return deliver(ask.marketplaceId, { transaction: recorded.transaction, isFirst: true });
    }
    return { kind: 'unknown', hash: null, reason: 'Other transactions of this wallet were first every time.' };
  };

  return {
    send: (ask: SendAsk): Promise<Sent> =>
      queues.run(keyOf({ marketplaceId: ask.marketplaceId, source: ask.wallet.address }), () => sendNow(ask)),

    /** Finishes what is on its way from one address, if anything is. */
    resume,

    /** Finishes everything that is on its way, whoever began it. What stays in doubt is tried again by itself. */
    async resumeAll(): Promise<void> {
      const open = await transactions.listOpen(RESUME_MAX);
      const outcomes = await Promise.allSettled(open.map(resume));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') onTrouble('a transaction could not be resumed', outcome.reason);
      }
    },

    async close(): Promise<void> {
      closed = true;
      for (const { timer } of retries.values()) clearTimeout(timer);
      retries.clear();
      await queues.idle();
    },
  };
};
