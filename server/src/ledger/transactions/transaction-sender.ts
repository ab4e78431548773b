// Sends what our wallets do on the ledger: one transaction at a time per wallet, each kept before it is sent, each
// settled by what the ledger says. A crash at any point leaves a row from which any process goes on.

import { InternalRefusal } from '../../base/internal-refusal.ts';
import type { Context } from '../../commit/command.ts';
import type { EscrowProvider, LedgerAsset } from '../../providers/ports.ts';
import type { Draw, Drawn } from './build-transaction.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { createOutcomeReader, type Fate } from './outcome.ts';
import type { LedgerTransactionReads, OpenTransaction } from './queries.ts';
import { createQueues } from './queues.ts';
import { recordTransaction } from './record-transaction.ts';
import { createRetries } from './retries.ts';
import type { SendRequest, Sent } from './send-request.ts';
import { createSettling, type SettlingOptions, stateIn } from './settle.ts';
import type { Ending } from './settle-transaction.ts';
import { createSubmitEnvelope, type Delivered } from './submit-envelope.ts';

/** The persisted steps on the way, in order. Tests stop here as a crash would. */
export type Step = 'signed' | 'recorded' | 'submitted' | 'looked-up' | 'settled';

export type TransactionSenderOptions = SettlingOptions & {
  readonly ledger: Ledger;
  /** Null: there is none; its transactions are kept until there is one again. */
  readonly escrow: Pick<EscrowProvider, 'submit'> | null;
  readonly usdc: LedgerAsset;
  readonly draw: Draw;
  readonly transactions: Pick<
    LedgerTransactionReads,
    'findOpen' | 'listOpen' | 'listRejected' | 'rejectedOf' | 'isExpected'
  >;
  onSettled?(marketplaceId: string, transaction: LedgerTransaction): void;
  onTrouble(message: string, error: unknown): void;
  onStep?(step: Step, transactionId: string): void;
};

export type TransactionSender = ReturnType<typeof createTransactionSender>;

const ROUNDS = 5;
const RESUME_MAX = 1_000;

const keyOf = ({ marketplaceId, source }: OpenTransaction): string => `${marketplaceId}/${source}`;

const refused = (reason: string, code: string | null): Extract<Sent, { kind: 'no' }> => ({
  kind: 'no',
  hash: null,
  reason,
  why: 'refused',
  code,
});

export const createTransactionSender = (options: TransactionSenderOptions) => {
  const { submit, transactions, onTrouble, onStep = () => {} } = options;
  const [fateOf, deliverTo, settleIn] = [
    createOutcomeReader(options),
    createSubmitEnvelope(options),
    createSettling(options),
  ];
  const queues = createQueues();
  const retries = createRetries({ run: (place) => resume(place), keyOf, onTrouble });

  const contextOf = (marketplaceId: string, hash: string): Context => ({
    marketplaceId,
    actor: { type: 'system', id: 'purser' },
    requestId: `ledger-${hash}`,
  });

  type Certain = { readonly transaction: LedgerTransaction; readonly ending: Ending } & Pick<Delivered, 'contractId'>;

  const settle = async (marketplaceId: string, { transaction, ending, contractId }: Certain): Promise<Sent> => {
    const { id: hash, source } = transaction;
    const isLastTry = retries.isPatienceOver({ marketplaceId, source });
    const settled = await settleIn({ context: contextOf(marketplaceId, hash), transaction, ending, isLastTry });
    onStep('settled', hash);
    options.onSettled?.(marketplaceId, settled);
    const { state, failure } = settled;
    if (ending.kind === 'succeeded' && state === 'SUCCEEDED')
      return { kind: 'yes', hash, paid: ending.paid, contractId };
    // Another process saw more of it than we did.
    if (ending.kind === 'succeeded' || state === 'SUCCEEDED') {
      return { kind: 'unknown', hash, reason: 'It was settled meanwhile.' };
    }
    const code = 'reason' in ending ? ending.reason : null;
    return { kind: 'no', hash, reason: failure ?? 'it failed', why: ending.kind, code };
  };

  type Looked = { readonly transaction: LedgerTransaction; readonly fate: Fate } & Partial<
    Pick<Delivered, 'contractId'>
  >;

  /** Settles when the fate is certain; otherwise it is looked at again later. */
  const conclude = async (marketplaceId: string, { transaction, fate, contractId }: Looked): Promise<Sent> => {
    const { id: hash, source } = transaction;
    onStep('looked-up', hash);
    if (fate.kind !== 'pending' && fate.kind !== 'unknown') {
      try {
        return await settle(marketplaceId, { transaction, ending: fate, contractId });
      } catch (error) {
        onTrouble('a transaction could not be settled and will be tried again', error);
        retries.later({ marketplaceId, source });
        return { kind: 'unknown', hash, reason: 'What it did could not be written into the books yet.' };
      }
    }
    retries.later({ marketplaceId, source });
    return { kind: 'unknown', hash, reason: fate.kind === 'unknown' ? fate.reason : 'It is in no ledger yet.' };
  };

  /** The first time, a refusal is certain: nobody has sent this envelope before. */
  const deliver = async (
    marketplaceId: string,
    { transaction, isFirst }: { transaction: LedgerTransaction; isFirst: boolean },
  ): Promise<Sent> => {
    const { contractId, refusal } = await deliverTo(transaction);
    onStep('submitted', transaction.id);
    const fate = await fateOf(transaction);
    const isRejected = fate.kind === 'pending' && isFirst && refusal !== null;
    return conclude(marketplaceId, {
      transaction,
      fate: isRejected ? { kind: 'rejected', reason: refusal } : fate,
      contractId,
    });
  };

  /** Finishes what is on its way from this address. Null when nothing is. Only within the address's queue. */
  const finishOpen = async (place: OpenTransaction): Promise<Sent | null> => {
    const transaction = await transactions.findOpen(place);
    if (!transaction) return null;
    const fate = await fateOf(transaction);
    return fate.kind === 'pending'
      ? deliver(place.marketplaceId, { transaction, isFirst: false })
      : conclude(place.marketplaceId, { transaction, fate });
  };

  const resume = async (place: OpenTransaction): Promise<void> => {
    const sent = await queues.run(keyOf(place), () => finishOpen(place));
    if (sent?.kind !== 'unknown') retries.forget(place);
  };

  /** A refusal was believed, but the envelope is still good: should the ledger have it after all, that is booked. */
  const lookAtRejected = async (marketplaceId: string, transaction: LedgerTransaction): Promise<Fate['kind']> => {
    const fate = await fateOf(transaction);
    if (fate.kind === 'pending' || fate.kind === 'unknown') return fate.kind;
    await settle(marketplaceId, { transaction, ending: fate, contractId: undefined });
    return fate.kind;
  };

  /** After a transaction was drawn up: from now on none of them can come into a ledger beside it, by their numbers. */
  const isRejectionCertain = async (place: OpenTransaction): Promise<boolean> => {
    try {
      for (const transaction of await transactions.rejectedOf(place)) {
        if ((await lookAtRejected(place.marketplaceId, transaction)) === 'unknown') return false;
      }
      return true;
    } catch (error) {
      onTrouble('a refused transaction is on the ledger and could not be settled yet', error);
      return false;
    }
  };

  type Recorded = { kind: 'kept'; transaction: LedgerTransaction } | { kind: 'busy' } | Sent;

  const record = async (ask: SendRequest, drawn: Extract<Drawn, { kind: 'yes' }>): Promise<Recorded> => {
    const { kind: _, actions = ask.actions, ...envelope } = drawn;
    const { id } = envelope;
    const input = { ...envelope, source: ask.wallet.address, purpose: ask.purpose, actions };
    try {
      const context = contextOf(ask.marketplaceId, id);
      const outcome = await submit({ command: recordTransaction, input, context });
      if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
      return { kind: 'kept', transaction: outcome.reply };
    } catch (error) {
      if (error instanceof InternalRefusal) return { ...refused(error.message, null), refusal: error };
      const state = stateIn(error);
      // Another process was first; its transaction has to be finished before ours can be drawn up.
      if (state === 'TRANSACTION_OPEN') return { kind: 'busy' };
      if (typeof state === 'string') return refused((error as Error).message, state);
      // Perhaps it was kept all the same: then it is found and sent when this address is looked at again.
      onTrouble('a signed transaction could not be kept', error);
      retries.later({ marketplaceId: ask.marketplaceId, source: ask.wallet.address });
      return { kind: 'unknown', hash: id, reason: 'The signed transaction could not be kept.' };
    }
  };

  const sendNow = async (ask: SendRequest): Promise<Sent> => {
    const place = { marketplaceId: ask.marketplaceId, source: ask.wallet.address };
    for (let round = 0; round < ROUNDS; round++) {
      const earlier = await finishOpen(place);
      if (earlier?.kind === 'unknown') {
        return { kind: 'unknown', hash: null, reason: `An earlier transaction is not settled: ${earlier.reason}` };
      }
      const drawn = await (ask.draw?.() ?? options.draw(ask));
      if (drawn.kind === 'unknown') return { ...drawn, hash: null };
      if (drawn.kind === 'no') return refused(drawn.reason, drawn.code ?? null);
      onStep('signed', drawn.id);
      if (!(await isRejectionCertain(place))) {
        return { kind: 'unknown', hash: null, reason: 'An earlier refusal could not be looked up.' };
      }
      const recorded = await record(ask, drawn);
      if (recorded.kind === 'busy') continue;
      if (recorded.kind !== 'kept') return recorded;
      onStep('recorded', drawn.id);
      return deliver(ask.marketplaceId, { transaction: recorded.transaction, isFirst: true });
    }
    return { kind: 'unknown', hash: null, reason: 'Other transactions of this wallet were first every time.' };
  };

  return {
    send: (ask: SendRequest): Promise<Sent> =>
      queues.run(keyOf({ marketplaceId: ask.marketplaceId, source: ask.wallet.address }), () => sendNow(ask)),

    /** Finishes what is on its way from one address, if anything is. */
    resume,

    /** Finishes everything that is on its way, whoever began it. What stays in doubt is tried again by itself. */
    async resumeAll(): Promise<void> {
      const [open, rejected] = await Promise.all([
        transactions.listOpen(RESUME_MAX),
        transactions.listRejected(RESUME_MAX),
      ]);
      const outcomes = await Promise.allSettled([
        ...open.map(resume),
        ...rejected.map(({ marketplaceId, transaction }) =>
          queues.run(keyOf({ marketplaceId, source: transaction.source }), () =>
            lookAtRejected(marketplaceId, transaction),
          ),
        ),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') onTrouble('a transaction could not be resumed', outcome.reason);
      }
    },

    async close(): Promise<void> {
      retries.close();
      await queues.idle();
    },
  };
};
