// Finds out what became of a transaction, from the ledger alone. It says that something did not happen only when it can
// no longer happen.

import { type Amount, fromUnits } from '../../books/money.ts';
import { escrowActionIn } from '../../modules/escrows/escrow-payments.ts';
import type { LedgerAsset, LedgerPayment, LedgerTransaction as Recorded } from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';
import { createContractMoves, totalOf } from './contract-moves.ts';
import { type Ledger, movesAsset } from './ledger.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';
import type { Ending } from './settle-transaction.ts';

/** `pending`: in no ledger, but it still may come into one. */
export type Fate = Ending | { readonly kind: 'pending' } | { readonly kind: 'unknown'; readonly reason: string };

type InLedger = Exclude<Recorded, { state: 'missing' }>;
type Success = Extract<Ending, { kind: 'succeeded' }>;
type Paid = readonly (Amount | null)[];
type Told = Pick<LedgerPayment, 'to' | 'asset' | 'amount'>;

const PAGE = 200;

/** How far one page of the ledger may lag behind another. */
const LAG_MS = 30_000;

const unknown = (reason: string): Fate => ({ kind: 'unknown', reason });

const targetOf = (action: LedgerAction): { to: string; asset: Asset; asked: Amount } | null => {
  if (action.type === 'trust' || action.type === 'escrow') return null;
  const asked = fromUnits(BigInt(action.units));
  return action.type === 'activate'
    ? { to: action.address, asset: 'XLM', asked }
    : { to: action.to, asset: action.asset, asked };
};

const askedOf = (actions: readonly LedgerAction[]): Paid => actions.map((action) => targetOf(action)?.asked ?? null);

const isSame = (a: Paid, b: Paid): boolean => a.every((amount, index) => amount === b[index]);

export const createOutcomeReader = ({ ledger, usdc }: { ledger: Ledger; usdc: LedgerAsset }) => {
  const contractMoves = createContractMoves({ ledger, usdc });

  /** How much each action moved, as these payments tell it; null when they are not those of the actions. */
  const match = (actions: readonly LedgerAction[], told: readonly Told[]): Paid | null => {
    const payments = [...told];
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
    const told = await ledger.paymentsOf(id);
    return told.kind === 'yes' ? match(actions, told.value) : null;
  };

  /** The same, from the page of the wallet that paid. */
  const fromWallet = async ({ id, source, actions }: LedgerTransaction): Promise<Paid | null> => {
    const told = await ledger.payments({ address: source, order: 'desc', limit: PAGE });
    if (told.kind !== 'yes') return null;
    return match(actions, told.value.payments.filter(({ transactionHash }) => transactionHash === id).reverse());
  };

  /** That another amount was paid than was signed for is believed only when two pages of the ledger say the same. */
  const paidBy = async (transaction: LedgerTransaction): Promise<Paid | null> => {
    const paid = await fromTransaction(transaction);
    if (paid === null || isSame(paid, askedOf(transaction.actions))) return paid;
    const again = await fromWallet(transaction);
    return again !== null && isSame(paid, again) ? paid : null;
  };

  /** What it moved; null when that cannot be read yet. */
  const effectOf = async (transaction: LedgerTransaction): Promise<Pick<Success, 'paid' | 'moved'> | null> => {
    const call = escrowActionIn(transaction.actions);
    if (call === null) {
      const paid = await paidBy(transaction);
      return paid && { paid };
    }
    const moved = await contractMoves(transaction.id, call);
    return moved && { paid: [call.call === 'fund' ? totalOf(call, moved) : null], moved };
  };

  const endingOf = async (transaction: LedgerTransaction, value: InLedger): Promise<Fate> => {
    const charge = { fee: value.feeCharged, feeAccount: value.feeAccount };
    if (value.state === 'failed') return { kind: 'failed', reason: value.code ?? 'it failed', ...charge };
    const effect = await effectOf(transaction);
    return effect === null ? unknown('What it moved could not be read.') : { kind: 'succeeded', ...effect, ...charge };
  };

  return async (transaction: LedgerTransaction): Promise<Fate> => {
    const found = await ledger.transaction(transaction.id);
    if (found.kind !== 'yes') return unknown(found.reason);
    if (found.value.state !== 'missing') return endingOf(transaction, found.value);
    const latest = await ledger.latestLedger();
    if (latest.kind !== 'yes') return unknown(latest.reason);
    if (Date.parse(latest.value.closedAt) <= Date.parse(transaction.validUntil) + LAG_MS) return { kind: 'pending' };
    // Looked for again now that its time is known to be over: what is in no ledger after that will never be in one.
    const again = await ledger.transaction(transaction.id);
    if (again.kind !== 'yes') return unknown(again.reason);
    return again.value.state === 'missing' ? { kind: 'expired' } : endingOf(transaction, again.value);
  };
};
