// Reads the outcome of a transaction from the ledger alone. It says that a transaction did not happen only when it can no longer
// happen.

import { type Answer, unknown, yes } from '../../base/answer.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import type { LedgerAsset, LedgerPayment, LedgerTransaction as Recorded } from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';
import { createContractMoves, escrowActionIn, totalOf } from './contract-moves.ts';
import { asUnknown, type Ledger, movesAsset } from './ledger.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';
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

/** Yes with null: in no ledger yet, and a ledger may still include it. */
export type ReadOutcome = (transaction: LedgerTransaction) => Promise<Answer<Ending | null>>;

type InLedger = Exclude<Recorded, { state: 'missing' }>;
type Success = Extract<Ending, { kind: 'succeeded' }>;
type Paid = readonly (Amount | null)[];
type Payment = Pick<LedgerPayment, 'to' | 'asset' | 'amount'>;

const PAGE = 200;

/** How far one page of the ledger may lag behind another. */
const LAG_MS = 30_000;

const targetOf = (action: LedgerAction): { to: string; asset: Asset; asked: Amount } | null => {
  if (action.type === 'trust' || action.type === 'escrow') return null;
  const asked = fromUnits(BigInt(action.units));
  return action.type === 'activate'
    ? { to: action.address, asset: 'XLM', asked }
    : { to: action.to, asset: action.asset, asked };
};

const askedOf = (actions: readonly LedgerAction[]): Paid => actions.map((action) => targetOf(action)?.asked ?? null);

const isSame = (a: Paid, b: Paid): boolean => a.every((amount, index) => amount === b[index]);

export const createOutcomeReader = ({ ledger, usdc }: { ledger: Ledger; usdc: LedgerAsset }): ReadOutcome => {
  const contractMoves = createContractMoves({ ledger, usdc });

  /** The amount that each action moved according to these payments; null when they do not match the actions. */
  const match = (actions: readonly LedgerAction[], found: readonly Payment[]): Paid | null => {
    const payments = [...found];
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

  const fromTransaction = async ({ id, actions }: LedgerTransaction): Promise<Paid | null> => {
    const payments = await ledger.paymentsOf(id);
    return payments.kind === 'yes' ? match(actions, payments.value) : null;
  };

  /** The same, from the payments of the wallet that paid. */
  const fromWallet = async ({ id, source, actions }: LedgerTransaction): Promise<Paid | null> => {
    const page = await ledger.payments({ address: source, order: 'desc', limit: PAGE });
    if (page.kind !== 'yes') return null;
    return match(actions, page.value.payments.filter(({ transactionHash }) => transactionHash === id).reverse());
  };

  /** Another amount than the signed one is believed only when two pages of the ledger show the same. */
  const paidBy = async (transaction: LedgerTransaction): Promise<Paid | null> => {
    const paid = await fromTransaction(transaction);
    if (paid === null || isSame(paid, askedOf(transaction.actions))) return paid;
    const again = await fromWallet(transaction);
    return again !== null && isSame(paid, again) ? paid : null;
  };

  /** The amounts that the transaction moved; null when they cannot be read yet. */
  const effectOf = async (transaction: LedgerTransaction): Promise<Pick<Success, 'paid' | 'moved'> | null> => {
    const call = escrowActionIn(transaction.actions);
    if (call === null) {
      const paid = await paidBy(transaction);
      return paid && { paid };
    }
    const moved = await contractMoves(transaction.id, call);
    return moved && { paid: [call.call === 'fund' ? totalOf(call, moved) : null], moved };
  };

  const endingOf = async (transaction: LedgerTransaction, value: InLedger): Promise<Answer<Ending>> => {
    const charge = { fee: value.feeCharged, feeAccount: value.feeAccount };
    if (value.state === 'failed') return yes({ kind: 'failed', reason: value.code ?? 'it failed', ...charge });
    const effect = await effectOf(transaction);
    if (effect === null) return unknown('The payments of the transaction could not be read.', { code: 'lagging' });
    return yes({ kind: 'succeeded', ...effect, ...charge });
  };

  return async (transaction) => {
    const found = await ledger.transaction(transaction.id);
    if (found.kind !== 'yes') return asUnknown(found);
    if (found.value.state !== 'missing') return endingOf(transaction, found.value);
    const latest = await ledger.latestLedger();
    if (latest.kind !== 'yes') return asUnknown(latest);
    if (Date.parse(latest.value.closedAt) <= Date.parse(transaction.validUntil) + LAG_MS) return yes(null);
    // Read again now that the transaction has expired: if it is in no ledger after that, it never will be.
    const again = await ledger.transaction(transaction.id);
    if (again.kind !== 'yes') return asUnknown(again);
    return again.value.state === 'missing' ? yes({ kind: 'expired' }) : endingOf(transaction, again.value);
  };
};
