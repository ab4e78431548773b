// Books the movements of an escrow call, as the ledger shows them: into the contract, from it to our addresses, and from it to any
// other address, which is the provider's protocol fee.

import { type Account, adjustments, contractHolding, networkFees, walletHolding } from '../../books/accounts.ts';
import { type Amount, minus, negated, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { move } from '../../commit/money.ts';
import type { LedgerAction } from './ledger-transaction.ts';
import { type Spending, spendingAccounts } from './wallet-payment.ts';

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

export const escrowPaymentAccounts = (action: EscrowAction, moved: readonly Moved[]): Account[] => {
  if (moved.length === 0) return [];
  const { currency } = action;
  return [
    contractHolding(contractOf(action), currency),
    networkFees(currency),
    adjustments(currency),
    ...moved.flatMap(({ from, to }) => [
      ...(isOurs(from, action) ? spendingAccounts(from, currency) : []),
      ...(isOurs(to, action) ? [walletHolding(to, currency)] : []),
    ]),
  ];
};

type Booking = {
  readonly action: EscrowAction;
  readonly moved: readonly Moved[];
  readonly spending: Spending;
  readonly reference: string;
};

export const bookEscrowPayments = (work: UnitOfWork, { action, moved, spending, reference }: Booking): void => {
  if (moved.length === 0) return;
  const { currency } = action;
  const contractId = contractOf(action);
  const parties = { contractId, currency, reference };
  for (const { from, to, amount } of moved) {
    // Payments into the contract by others are booked when the contract pays them out.
    if (to === contractId && isOurs(from, action)) {
      spending.from(from, { currency, amount });
      move(work, 'contract_funding', { ...parties, address: from, amount });
    }
    if (from !== contractId) continue;
    const surplus = minus(amount, negated(work.balance(contractHolding(contractId, currency))));
    if (surplus > ZERO) move(work, 'contract_gain', { ...parties, amount: surplus });
    if (isOurs(to, action)) move(work, 'contract_payment', { ...parties, toAddress: to, amount });
    else move(work, 'protocol_fee', { ...parties, amount });
  }
};
