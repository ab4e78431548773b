// Reads the outcome of a transaction from the ledger alone. It says that a transaction did not happen only when it can no longer
// happen.

import { type Answer, unknown, yes } from '../../base/answer.ts';
import { accountOf } from '../../base/ledger-address.ts';
import { type Amount, fromUnits, ZERO } from '../../books/money.ts';
import type {
  LedgerAsset,
  LedgerPayment,
  LedgerTransaction as Recorded,
  TransactionWithPayments,
} from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';
import { createContractMoves, escrowActionIn, isPaying, totalOf } from './contract-moves.ts';
import { asUnknown, type Ledger, movesAsset } from './ledger.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';
import type { OpenTransaction } from './queries.ts';
import type { Ending } from './settle-transaction.ts';

/**
 * What became of a request to send a transaction. `hash` is null when nothing was recorded, so sending again is safe. Otherwise the
 * transaction sender itself continues until the outcome is certain.
 */
export type TransactionOutcome =
  | {
      readonly kind: 'yes';
      readonly hash: string;
      /** For each action the amount that the ledger moved; null where it moves nothing, or more than one amount. */
      readonly paid: Paid;
      /** Of a deployment: the address that the provider gave, null when it gave none, undefined when its answer was lost. */
      readonly contractId: string | null | undefined;
    }
  | {
      readonly kind: 'no';
      readonly hash: string | null;
      readonly reason: string;
      /**
       * `superseded`: the rows did not allow it, because another process carried it out or its operation has ended.
       * `refused`: it could not be built, and nothing was sent. `failed`: on the ledger, without effect. `rejected`: refused by the
       * ledger and in none. `expired`: in no ledger in time, so it may be sent again.
       */
      readonly why: 'superseded' | 'refused' | 'failed' | 'rejected' | 'expired';
      /** The code that the ledger or the provider gave. */
      readonly code: string | null;
    }
  | { readonly kind: 'unknown'; readonly hash: string | null; readonly reason: string };

/** Nothing was recorded, so sending again is safe. */
export const notSent = (reason: string): TransactionOutcome => ({ kind: 'unknown', hash: null, reason });

/** Yes with null: in no ledger yet, and a ledger may still include it. */
export type ReadOutcome = (transaction: LedgerTransaction, marketplaceId: string) => Promise<Answer<Ending | null>>;

/** `hash`: what the ledger shows the payments under. For a bumped transaction it is the hash of the bump. */
type Seen = { readonly paid: Paid; readonly hash: string };
type Payments = readonly LedgerPayment[];
type Included = { readonly value: Exclude<Recorded, { state: 'missing' }>; readonly payments: Payments };
type Success = Extract<Ending, { kind: 'succeeded' }>;
type Paid = readonly (Amount | null)[];
type Payment = Pick<LedgerPayment, 'to' | 'asset' | 'amount'>;

const withoutPayments = (answer: Answer<Recorded>): Answer<TransactionWithPayments> =>
  answer.kind === 'yes' ? yes({ transaction: answer.value, payments: [] }) : answer;

const PAGE = 200;

/** How far one page of the ledger may lag behind another. */
const LAG_MS = 30_000;

const targetOf = (action: LedgerAction): { to: string; asset: Asset; asked: Amount } | null => {
  if (action.type === 'trust' || action.type === 'escrow') return null;
  const asked = fromUnits(BigInt(action.units));
  // A sponsored account begins with nothing.
  if (asked === ZERO) return null;
  return action.type === 'activate'
    ? { to: action.address, asset: 'XLM', asked }
    : // The ledger shows a payment to a muxed address as one to its account.
      { to: accountOf(action.to) ?? action.to, asset: action.asset, asked };
};

const chargeOf = ({ feeCharged: fee, feeAccount, bumpHash: bumpId, ledger }: Included['value']) => ({
  fee,
  feeAccount,
  bumpId,
  ledger,
});

const askedOf = (actions: readonly LedgerAction[]): Paid => actions.map((action) => targetOf(action)?.asked ?? null);

const isSame = (a: Paid, b: Paid): boolean => a.every((amount, index) => amount === b[index]);

type OutcomeOptions = {
  readonly ledger: Ledger;
  readonly usdc: LedgerAsset;
  /** Whether a transaction of ours is known to have used a sequence number. */
  isNumberUsed(place: OpenTransaction, sequence: bigint): Promise<boolean>;
};

/**
 * The account has not used the number, or another transaction of ours has. Otherwise the envelope may be what used it. The account is
 * not older than the latest ledger, which was read before it: see `LedgerNetwork.account`.
 */
const expiredOf = async (
  { ledger, isNumberUsed }: OutcomeOptions,
  { transaction, marketplaceId }: { readonly transaction: LedgerTransaction; readonly marketplaceId: string },
): Promise<Answer<Ending>> => {
  const { source } = transaction;
  const sequence = BigInt(transaction.sequence);
  const account = await ledger.account(source);
  if (account.kind !== 'yes') return asUnknown(account);
  if (account.value === null) return unknown('The ledger does not show the account.', { code: 'lagging' });
  const isPassed = account.value.sequence >= sequence;
  if (isPassed && !(await isNumberUsed({ marketplaceId, source }, sequence))) {
    return unknown('The account has used the number of this transaction, and no known transaction did.', {
      code: 'stale',
    });
  }
  return yes({ kind: 'expired' });
};

/** What the ledger shows for the hash, together with what it moved where that is needed. Yes with null: it is in no ledger. */
const find = async (ledger: Ledger, { id, actions }: LedgerTransaction): Promise<Answer<Included | null>> => {
  const call = escrowActionIn(actions);
  const found =
    call === null || isPaying(call)
      ? await ledger.transactionWithPayments(id)
      : withoutPayments(await ledger.transaction(id));
  if (found.kind !== 'yes') return asUnknown(found);
  const { transaction: value, payments } = found.value;
  return yes(value.state === 'missing' ? null : { value, payments });
};

export const createOutcomeReader = (options: OutcomeOptions): ReadOutcome => {
  const { ledger, usdc } = options;
  const contractMoves = createContractMoves({ ledger, usdc });

  /** The amount that each action moved according to these payments; null when they do not match the actions. */
  const match = (actions: readonly LedgerAction[], found: readonly Payment[]): Paid | null => {
    const payments = found.filter(({ amount }) => amount !== ZERO);
    const paid: (Amount | null)[] = [];
    for (const action of actions) {
      const target = targetOf(action);
      const payment = target === null ? null : payments.shift();
      if (target && !(payment && payment.to === target.to && movesAsset(payment, { asset: target.asset, usdc }))) {
        return null;
      }
      paid.push(payment?.amount ?? null);
    }
    return payments.length === 0 ? paid : null;
  };

  const fromTransaction = ({ id, source, actions }: LedgerTransaction, payments: Payments): Seen | null => {
    // A contract that the transaction called may have made payments of its own.
    const own = payments.filter(({ from }) => from === source);
    const paid = match(actions, own);
    return paid && { paid, hash: own[0]?.transactionHash ?? id };
  };

  /** The same, from the payments of the wallet that paid. */
  const fromWallet = async ({ source, actions }: LedgerTransaction, hash: string): Promise<Paid | null> => {
    const page = await ledger.payments({ address: source, order: 'desc', limit: PAGE });
    if (page.kind !== 'yes') return null;
    const own = page.value.payments.filter(({ transactionHash, from }) => transactionHash === hash && from === source);
    return match(actions, own.reverse());
  };

  /** Another amount than the signed one is believed only when two pages of the ledger show the same. */
  const paidBy = async (transaction: LedgerTransaction, payments: Payments): Promise<Paid | null> => {
    const seen = fromTransaction(transaction, payments);
    if (seen === null || isSame(seen.paid, askedOf(transaction.actions))) return seen?.paid ?? null;
    const again = await fromWallet(transaction, seen.hash);
    return again !== null && isSame(seen.paid, again) ? seen.paid : null;
  };

  /** The amounts that the transaction moved; null when they cannot be read yet. */
  const effectOf = async (
    transaction: LedgerTransaction,
    payments: Payments,
  ): Promise<Pick<Success, 'paid' | 'moved'> | null> => {
    const call = escrowActionIn(transaction.actions);
    if (call === null) {
      const paid = await paidBy(transaction, payments);
      return paid && { paid };
    }
    const moved = await contractMoves(payments, call);
    return moved && { paid: [call.call === 'fund' ? totalOf(call, moved) : null], moved };
  };

  const endingOf = async (transaction: LedgerTransaction, { value, payments }: Included): Promise<Answer<Ending>> => {
    const charge = chargeOf(value);
    if (value.state === 'failed') return yes({ kind: 'failed', reason: value.code ?? 'it failed', ...charge });
    const effect = await effectOf(transaction, payments);
    if (effect === null) return unknown('The payments of the transaction could not be read.', { code: 'lagging' });
    return yes({ kind: 'succeeded', ...effect, ...charge });
  };

  return async (transaction, marketplaceId) => {
    const found = await find(ledger, transaction);
    if (found.kind !== 'yes') return found;
    if (found.value !== null) return endingOf(transaction, found.value);
    const latest = await ledger.latestLedger();
    if (latest.kind !== 'yes') return asUnknown(latest);
    if (Date.parse(latest.value.closedAt) <= Date.parse(transaction.validUntil) + LAG_MS) return yes(null);
    // Read again now that the transaction has expired: if it is in no ledger after that, it never will be.
    const again = await find(ledger, transaction);
    if (again.kind !== 'yes') return again;
    return again.value === null
      ? expiredOf(options, { transaction, marketplaceId })
      : endingOf(transaction, again.value);
  };
};
