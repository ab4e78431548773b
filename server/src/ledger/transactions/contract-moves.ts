// Reads from the ledger what a call of an escrow contract moved into the contract and out of it. One page is enough when it shows the
// requested amount. Another amount is believed only when a second page shows the same.

import { type Amount, fromUnits, plus, ZERO } from '../../books/money.ts';
import type { LedgerAsset, LedgerPayment } from '../../providers/ports.ts';
import { assetOf } from '../keys/wallet.ts';
import type { EscrowAction, Moved } from './escrow-payments.ts';
import { type Ledger, movesAsset } from './ledger.ts';

type Options = { readonly ledger: Pick<Ledger, 'payments' | 'paymentsOf'>; readonly usdc: LedgerAsset };

/** The other calls move nothing. */
const PAYING: ReadonlySet<string> = new Set(['fund', 'release', 'resolve']);

/** Length of the second page, whose first record is the operation itself. */
const RECORDS = 10;

const amountOf = (units: string | null | undefined): Amount => fromUnits(BigInt(units ?? '0'));

/** The amount that a call was signed for; null when the call does not name one. */
const signedFor = ({ call, units, sellerUnits, buyerUnits }: EscrowAction): Amount | null => {
  if (call === 'resolve' && (sellerUnits !== undefined || buyerUnits !== undefined)) {
    return plus(amountOf(sellerUnits), amountOf(buyerUnits));
  }
  return units === null ? null : amountOf(units);
};

/** The amount that a funding moved into the contract, or that any other call moved out of it. */
export const totalOf = ({ call, contractId }: EscrowAction, moved: readonly Moved[]): Amount =>
  moved
    .filter(({ from, to }) => (call === 'fund' ? to : from) === contractId)
    .reduce((sum, { amount }) => plus(sum, amount), ZERO);

const isSame = (a: readonly Moved[], b: readonly Moved[]): boolean =>
  a.length === b.length &&
  a.every(({ from, to, amount }, index) => {
    const other = b[index]!;
    return from === other.from && to === other.to && amount === other.amount;
  });

const touches = ({ from, to }: Moved, address: string): boolean => from === address || to === address;

export const createContractMoves = ({ ledger, usdc }: Options) => {
  const isOfContract = (payment: LedgerPayment, { contractId, currency }: EscrowAction): boolean =>
    contractId !== null && touches(payment, contractId) && movesAsset(payment, { asset: assetOf(currency), usdc });

  const movesIn = (payments: readonly LedgerPayment[], action: EscrowAction): Moved[] =>
    payments
      .filter((payment) => payment.amount > 0n && isOfContract(payment, action))
      .map(({ from, to, amount }) => ({ from, to, amount }));

  /** Compares with the payments of one of our addresses that took part. */
  const isConfirmed = async (payments: readonly LedgerPayment[], action: EscrowAction): Promise<boolean> => {
    const moves = movesIn(payments, action);
    const address = action.addresses.find((one) => moves.some((moved) => touches(moved, one)));
    const operation = payments.find((payment) => isOfContract(payment, action));
    if (address === undefined || operation === undefined) return false;
    const { operationId, transactionHash } = operation;
    const page = await ledger.payments({ address, cursor: String(BigInt(operationId) - 1n), limit: RECORDS });
    if (page.kind !== 'yes') return false;
    const again = page.value.payments.filter((payment) => payment.transactionHash === transactionHash);
    const ofAddress = moves.filter((moved) => touches(moved, address));
    return isSame(movesIn(again, action), ofAddress);
  };

  /** Null: the movements are not certain yet. */
  return async (hash: string, action: EscrowAction): Promise<readonly Moved[] | null> => {
    if (!PAYING.has(action.call)) return [];
    const payments = await ledger.paymentsOf(hash);
    if (payments.kind !== 'yes') return null;
    const moved = movesIn(payments.value, action);
    const total = totalOf(action, moved);
    if (total === ZERO) return null;
    return total === signedFor(action) || (await isConfirmed(payments.value, action)) ? moved : null;
  };
};
