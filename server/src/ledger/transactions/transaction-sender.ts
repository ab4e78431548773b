// Sends the transactions of our wallets: one at a time per wallet, each recorded before it is submitted, each settled by its outcome
// on the ledger. A crash at any point leaves a row from which any process continues.

import { createQueues, type Queues } from '../../base/one-at-a-time.ts';
import { createRetryTimers, type RetryTimers } from '../../base/retry-timers.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { EscrowProvider, LedgerAsset } from '../../providers/ports.ts';
import { type Adoption, type AdoptionOptions, createAdoption } from '../adoption/adoption.ts';
import type { HoldReads } from '../holds/queries.ts';
import type { Wallet } from '../keys/wallet.ts';
import { type ActionOwners, ActionRefused } from './action-owners.ts';
import type { BuildRequest, BuildTransaction, BuiltTransaction } from './build-transaction.ts';
import { type BumpOptions, createBump } from './bump-transaction.ts';
import { checkNumber } from './check-number.ts';
import {
  checkRejected,
  contextOf,
  type FinishParts,
  finishOpen,
  type Step,
  submitRecorded,
} from './finish-transaction.ts';
import type { KnownNumbers } from './known-numbers.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { createOutcomeReader, notSent, type TransactionOutcome } from './outcome.ts';
import type { LedgerTransactionReads, OpenTransaction } from './queries.ts';
import { createRecordTransaction, type RecordTransaction, TransactionOpen } from './record-transaction.ts';
import { createSettling, type SettlingOptions } from './settle.ts';
import { createSettleTransaction } from './settle-transaction.ts';
import { createSubmitEnvelope } from './submit-envelope.ts';

type SendRequest = BuildRequest & {
  readonly purpose: string;
  /** Builds the transaction when it is the wallet's turn, where the actions alone are not enough. May throw ActionRefused. */
  build?(): ReturnType<BuildTransaction>;
};

export type TransactionSenderOptions = Omit<SettlingOptions, 'adopt'> &
  Omit<BumpOptions, 'ledger' | 'transactions'> & {
    readonly ledger: Ledger;
    /** The numbers that `buildTransaction` uses. */
    readonly numbers: KnownNumbers;
    readonly adoption: Pick<AdoptionOptions, 'reads' | 'usdcCurrency' | 'unexplained' | 'beginEscrow'>;
    readonly holds: Pick<HoldReads, 'reason' | 'ofDeployment'>;
    /** Null: none is configured; its transactions wait. */
    readonly escrow: Pick<EscrowProvider, 'forMarketplace'> | null;
    readonly usdc: LedgerAsset;
    readonly owners: ActionOwners;
    readonly buildTransaction: BuildTransaction;
    readonly transactions: Pick<
      LedgerTransactionReads,
      | 'find'
      | 'findOpen'
      | 'listOpen'
      | 'listRejected'
      | 'numberOf'
      | 'rejectedOf'
      | 'expiredWith'
      | 'isExpected'
      | 'highestBump'
    >;
    onTrouble(message: string, error: unknown): void;
    onStep?(step: Step, transactionId: string): void;
  };

type WalletPlace = { readonly marketplaceId: string; readonly wallet: Wallet };

export type TransactionSender = {
  send(request: SendRequest): Promise<TransactionOutcome>;
  /**
   * Uses the wallet's next sequence number for a transaction that changes nothing. Afterwards no ledger can include a rejected
   * envelope that was built with the same number.
   */
  consumeSequence(of: WalletPlace): Promise<TransactionOutcome>;
  /** The same where the wallet has a rejected envelope whose number is unused. Null: it has none. */
  voidRejected(of: WalletPlace): Promise<TransactionOutcome | null>;
  /** Finishes the open transaction of one address, if there is one. */
  resume(place: OpenTransaction): Promise<void>;
  /** Finishes all open transactions, whichever process recorded them. Those that stay unknown are retried. */
  resumeAll(): Promise<void>;
  /** Brings the rows of a wallet up to the ledger. Nothing is signed for a wallet whose last transaction is not known. */
  readonly adoption: Adoption;
  close(): Promise<void>;
};

type Parts = Omit<FinishParts, 'adoption'> & {
  readonly adoption: Adoption;
  readonly holds: TransactionSenderOptions['holds'];
  readonly submit: Submit;
  readonly record: RecordTransaction;
  readonly buildTransaction: BuildTransaction;
  readonly transactions: TransactionSenderOptions['transactions'];
  readonly queues: Queues;
  readonly retries: RetryTimers<OpenTransaction>;
};

const ATTEMPTS_MAX = 5;
const RESUME_MAX = 1_000;
const BACK_OFF = { firstMs: 100, maxMs: 30_000 };

const keyOf = ({ marketplaceId, source }: OpenTransaction): string => `${marketplaceId}/${source}`;

const placeOf = ({ marketplaceId, wallet }: SendRequest): OpenTransaction => ({
  marketplaceId,
  source: wallet.address,
});

const onHold = (reason: string): string => `Payments are on hold: ${reason}`;

/** Null: another process recorded a transaction of this wallet first. */
const record = async (
  parts: Parts,
  { request, built }: { readonly request: SendRequest; readonly built: BuiltTransaction },
): Promise<LedgerTransaction | TransactionOutcome | null> => {
  const { marketplaceId, wallet, purpose } = request;
  const { actions = request.actions, ...envelope } = built;
  const input = { ...envelope, source: wallet.address, purpose, actions };
  try {
    return await runCommand(parts.submit, {
      command: parts.record,
      input,
      context: contextOf(marketplaceId, built.id),
    });
  } catch (error) {
    if (error instanceof TransactionOpen) return null;
    if (error instanceof ActionRefused) throw error;
    // The commit may have succeeded: then the row is found and submitted when this address is resumed.
    parts.onTrouble('a signed transaction could not be recorded', error);
    parts.retries.retryLater(placeOf(request));
    return { kind: 'unknown', hash: built.id, reason: 'The signed transaction could not be recorded.' };
  }
};

/** Null: another process was first, and the next attempt finishes its transaction. */
const attempt = async (parts: Parts, request: SendRequest): Promise<TransactionOutcome | null> => {
  const place = placeOf(request);
  const earlier = await finishOpen(parts, place);
  if (earlier?.kind === 'unknown') return notSent(`An earlier transaction is not settled: ${earlier.reason}`);
  const { marketplaceId, wallet } = request;
  const whyHeld = () => parts.holds.reason({ marketplaceId, walletId: wallet.id });
  const held = await whyHeld();
  if (held !== null) return notSent(onHold(held));
  const isRemembered = parts.numbers.find(wallet.address) !== null;
  const built = await (request.build?.() ?? parts.buildTransaction(request));
  if (built.kind === 'unknown') return notSent(built.reason);
  if (built.kind === 'no') {
    return { kind: 'no', hash: null, reason: built.reason, why: 'refused', code: built.code };
  }
  parts.onStep('signed', built.value.id);
  const checked = await checkNumber(parts, { place, sequence: BigInt(built.value.sequence), isRemembered });
  if (checked !== null) return checked === 'again' ? null : checked;
  const recorded = await record(parts, { request, built: built.value });
  if (recorded === null || 'kind' in recorded) return recorded;
  parts.onStep('recorded', recorded.id);
  // A hold may have begun since. From its answer on nothing more is submitted: the envelope waits for the release, or expires.
  const heldSince = await whyHeld();
  if (heldSince === null) return submitRecorded(parts, { marketplaceId, transaction: recorded, isFirst: true });
  parts.retries.retryLater(place);
  return { kind: 'unknown', hash: recorded.id, reason: onHold(heldSince) };
};

const sendInTurn = async (parts: Parts, request: SendRequest): Promise<TransactionOutcome> => {
  try {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
      const outcome = await attempt(parts, request);
      if (outcome?.kind !== 'yes') parts.numbers.forget(request.wallet.address);
      if (outcome !== null) return outcome;
    }
    return notSent('Other transactions of this wallet were recorded first every time.');
  } catch (error) {
    parts.numbers.forget(request.wallet.address);
    if (!(error instanceof ActionRefused)) throw error;
    return { kind: 'no', hash: null, reason: error.message, why: 'superseded', code: null };
  }
};

const resume = async (parts: Parts, place: OpenTransaction): Promise<void> => {
  const outcome = await parts.queues.run(keyOf(place), () => finishOpen(parts, place));
  if (outcome !== null && outcome.kind !== 'yes') parts.numbers.forget(place.source);
  if (outcome?.kind !== 'unknown') parts.retries.clear(place);
};

const resumeAll = async (parts: Parts): Promise<void> => {
  const { transactions, queues } = parts;
  const [open, rejected] = await Promise.all([
    transactions.listOpen(RESUME_MAX),
    transactions.listRejected(RESUME_MAX),
  ]);
  const results = await Promise.allSettled([
    ...open.map((place) => resume(parts, place)),
    ...rejected.map(({ marketplaceId, transaction }) =>
      queues.run(keyOf({ marketplaceId, source: transaction.source }), () =>
        checkRejected(parts, { marketplaceId, transaction }),
      ),
    ),
  ]);
  for (const result of results) {
    if (result.status === 'rejected') parts.onTrouble('a transaction could not be resumed', result.reason);
  }
};

/** A wallet that is compared with the ledger may have moved without this process. */
const forgetting = (adoption: Adoption, numbers: KnownNumbers): Adoption => ({
  ...adoption,
  adopt(place) {
    numbers.forget(place.source);
    return adoption.adopt(place);
  },
});

const openParts = (options: TransactionSenderOptions): Parts => {
  const { submit, owners, buildTransaction, transactions, numbers, onTrouble, onStep = () => {} } = options;
  const { isNumberUsed } = options.adoption.reads;
  const readOutcome = createOutcomeReader({ ...options, isNumberUsed });
  const settle = createSettling(createSettleTransaction(owners), {
    ...options,
    adopt: (place) => parts.adoption.adopt(place),
  });
  const parts: Parts = {
    holds: options.holds,
    adoption: forgetting(createAdoption({ ...options, ...options.adoption, readOutcome, settle }), numbers),
    numbers,
    submit,
    record: createRecordTransaction(owners),
    buildTransaction,
    transactions,
    readOutcome,
    submitEnvelope: createSubmitEnvelope(options),
    settle,
    bump: createBump(options),
    queues: createQueues(),
    retries: createRetryTimers<OpenTransaction>({
      backOff: BACK_OFF,
      keyOf,
      run: (place) =>
        resume(parts, place).catch((error) => {
          onTrouble('a transaction could not be resumed; it will be retried', error);
          parts.retries.retryLater(place);
        }),
    }),
    onTrouble,
    onStep,
  };
  return parts;
};

export const createTransactionSender = (options: TransactionSenderOptions): TransactionSender => {
  const parts = openParts(options);
  const { queues, retries } = parts;
  const send = (request: SendRequest): Promise<TransactionOutcome> =>
    queues.run(keyOf(placeOf(request)), () => sendInTurn(parts, request));
  const consumeSequence = ({ marketplaceId, wallet }: WalletPlace): Promise<TransactionOutcome> =>
    send({ marketplaceId, wallet, purpose: 'use-up', actions: [{ type: 'trust', walletId: wallet.id }] });
  return {
    send,
    consumeSequence,
    async voidRejected(of) {
      const place = { marketplaceId: of.marketplaceId, source: of.wallet.address };
      for (const { sequence } of await parts.transactions.rejectedOf(place)) {
        if (!(await options.adoption.reads.isNumberUsed(place, BigInt(sequence)))) return consumeSequence(of);
      }
      return null;
    },
    resume: (place) => resume(parts, place),
    resumeAll: () => resumeAll(parts),
    adoption: parts.adoption,
    async close() {
      retries.close();
      await queues.idle();
    },
  };
};
