// The movements of an escrow call: read from the ledger, then booked. One page of the ledger is enough when it shows the requested
// amount. Another amount is believed only when a second page shows the same.

import { contractHolding, escrowSurplus, networkFees } from '../../books/accounts.ts';
import { type Amount, fromUnits, minus, negated, plus, sumOf, ZERO } from '../../books/money.ts';
import type { Needs, UnitOfWork } from '../../commit/command.ts';
import { accountsOf } from '../../commit/money.ts';
import type { LedgerAsset, LedgerPayment } from '../../providers/ports.ts';
import { assetOf } from '../keys/wallet.ts';
import { type Ledger, movesAsset } from './ledger.ts';
import type { LedgerAction } from './ledger-transaction.ts';
import { type Spending, spendingAccounts } from './wallet-payment.ts';

type Options = { readonly ledger: Pick<Ledger, 'payments'>; readonly usdc: LedgerAsset };

/** The other calls move nothing. */
const PAYING: ReadonlySet<string> = new Set(['fund', 'release', 'resolve', 'withdraw-remaining']);

export const isPaying = ({ call }: EscrowAction): boolean => PAYING.has(call);

/** Length of the second page, whose first record is the operation itself. */
const RECORDS = 10;

const amountOf = (units: string | null | undefined): Amount => fromUnits(BigInt(units ?? '0'));

/** The amount that a call was signed for; null when the call does not name one. */
const signedFor = ({ units, sellerUnits, buyerUnits, platformUnits }: EscrowAction): Amount | null => {
  const shares = [sellerUnits, buyerUnits, platformUnits].filter((share) => share !== undefined);
  if (shares.length > 0) return sumOf(shares.map(amountOf));
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

/** Reads the movements into the contract and out of it. */
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

  /** By the payments of the transaction. Null: the movements are not certain yet. */
  return async (payments: readonly LedgerPayment[], action: EscrowAction): Promise<readonly Moved[] | null> => {
    if (!isPaying(action)) return [];
    const moved = movesIn(payments, action);
    const total = totalOf(action, moved);
    if (total === ZERO) return null;
    return total === signedFor(action) || (await isConfirmed(payments, action)) ? moved : null;
  };
};

export type EscrowAction = Extract<LedgerAction, { type: 'escrow' }>;

/** One movement of the escrow's asset. An address is null where the asset was created or destroyed. */
export type Moved = { readonly from: string | null; readonly to: string | null; readonly amount: Amount };

/** The escrow call of a transaction. Such a transaction has no other action. */
export const escrowActionIn = (actions: readonly LedgerAction[]): EscrowAction | null =>
  actions.find((action) => action.type === 'escrow') ?? null;

const isOurs = (address: string | null, { addresses }: EscrowAction): address is string =>
  address !== null && addresses.includes(address);

const contractOf = ({ contractId, call }: EscrowAction): string => {
  if (contractId === null) throw new Error(`the contract of the call ${call} is unknown`);
  return contractId;
};

/** What the contract paid to our addresses. */
export const contractPayments = (action: EscrowAction, moved: readonly Moved[]) =>
  moved.flatMap(({ from, to, amount }) =>
    from === action.contractId && isOurs(to, action) ? [{ address: to, currency: action.currency, amount }] : [],
  );

type NeededAccounts = NonNullable<Needs['accounts']>;

export const escrowPaymentAccounts = (action: EscrowAction, moved: readonly Moved[]): NeededAccounts => {
  if (moved.length === 0) return [];
  const { currency, call, part } = action;
  const contract = contractHolding(contractOf(action), currency);
  // The first funding is usually the first posting of the contract.
  const isFirst = call === 'fund' && part === undefined;
  return [
    isFirst ? { ...contract, isNew: true } : contract,
    networkFees(currency),
    escrowSurplus(currency),
    ...moved.flatMap(({ from, to }) => [
      ...(isOurs(from, action) ? spendingAccounts(from, currency) : []),
      ...(isOurs(to, action) ? accountsOf('unexplained_reversal', { address: to, currency }) : []),
    ]),
  ];
};

type Booking = {
  readonly action: EscrowAction;
  readonly moved: readonly Moved[];
  readonly spending: Spending;
  readonly reference: string;
};

/** Books payments into the contract, to our addresses, and to any other address, which is the provider's protocol fee. */
export const bookEscrowPayments = (work: UnitOfWork, { action, moved, spending, reference }: Booking): void => {
  if (moved.length === 0) return;
  const { currency } = action;
  const contractId = contractOf(action);
  const parties = { contractId, currency, reference };
  for (const { from, to, amount } of moved) {
    // Payments into the contract by others are booked when the contract pays them out.
    if (to === contractId && isOurs(from, action)) {
      spending.from(from, { currency, amount });
      work.move('contract_funding', { ...parties, address: from, amount });
    }
    if (from !== contractId) continue;
    const surplus = minus(amount, negated(work.balance(contractHolding(contractId, currency))));
    if (surplus > ZERO) work.move('contract_gain', { ...parties, amount: surplus });
    if (isOurs(to, action)) work.move('contract_payment', { ...parties, toAddress: to, amount });
    else work.move('protocol_fee', { ...parties, amount });
  }
};
