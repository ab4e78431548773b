// Finds out what became of a transaction, from the ledger alone. It says that something did not happen only when it can
// no longer happen.

import type { Ending } from '../commands/settle-transaction.ts';
import type { LedgerAction, LedgerTransaction } from '../domain/ledger-transaction.ts';
import { type Amount, fromUnits } from '../domain/money.ts';
import type { Asset } from '../domain/wallet.ts';
import type { LedgerAsset } from '../providers/ports.ts';
import { type Ledger, movesAsset } from './ledger.ts';

/** `pending`: in no ledger, but it still may come into one. */
export type Fate = Ending | { readonly kind: 'pending' } | { readonly kind: 'unknown'; readonly reason: string };

type Paid = readonly (Amount | null)[];

const unknown = (reason: string): Fate => ({ kind: 'unknown', reason });

const targetOf = (action: LedgerAction): { to: string; asset: Asset; asked: Amount } | null => {
  if (action.type === 'trust') return null;
  const asked = fromUnits(BigInt(action.units));
  return action.type === 'activate'
    ? { to: action.address, asset: 'XLM', asked }
    : { to: action.to, asset: action.asset, asked };
};

const askedOf = (actions: readonly LedgerAction[]): Paid => actions.map((action) => targetOf(action)?.asked ?? null);

const isSame = (a: Paid, b: Paid): boolean => a.every((amount, index) => amount === b[index]);

export const createFates = ({ ledger, usdc }: { ledger: Ledger; usdc: LedgerAsset }) => {
  /** How much each action really moved; null when the ledger could not be read, or tells of other payments. */
  const readPaid = async ({ id, actions }: LedgerTransaction): Promise<Paid | null> => {
    const answer = await ledger.paymentsOf(id);
    if (answer.kind !== 'yes') return null;
    const payments = [...answer.value];
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

  /** That another amount was paid than was signed for is believed only when the ledger says it twice. */
  const paidBy = async (transaction: LedgerTransaction): Promise<Paid | null> => {
    const first = await readPaid(transaction);
    if (first === null || isSame(first, askedOf(transaction.actions))) return first;
    const second = await readPaid(transaction);
    return second !== null && isSame(first, second) ? first : null;
  };

  return async (transaction: LedgerTransaction): Promise<Fate> => {
    // The time is read first: what is in no ledger after its time was over will never be in one.
    const latest = await ledger.latestLedger();
    const found = await ledger.transaction(transaction.id);
    if (found.kind !== 'yes') return unknown(found.reason);
    const { value } = found;
    if (value.state === 'missing') {
      if (latest.kind !== 'yes') return unknown(latest.reason);
      const isOver = Date.parse(latest.value.closedAt) > Date.parse(transaction.validUntil);
      return { kind: isOver ? 'expired' : 'pending' };
    }
    const charge = { fee: value.feeCharged, feeAccount: value.feeAccount };
    if (value.state === 'failed') return { kind: 'failed', reason: value.code ?? 'it failed', ...charge };
    const paid = await paidBy(transaction);
    return paid === null ? unknown('What it moved could not be read.') : { kind: 'succeeded', paid, ...charge };
  };
};
