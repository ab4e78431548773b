// Every money move: the source account, the target account, and the refusal when the source has too little. No other move exists,
// and a posting carries the name of its row. Holdings are negative, so money that enters a wallet is posted *from* the wallet.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { ErrorCode } from '@holdfast/contract/errors.ts';
import {
  type Account,
  adjustments,
  available,
  contractHolding,
  escrowSurplus,
  floatOwed,
  lateTopups,
  networkFees,
  openingBalances,
  orderEscrow,
  paymentFloat,
  platformFees,
  reserved,
  walletHolding,
} from './accounts.ts';

/** The owner and the address of the money. Each move reads the fields that it needs. */
export type Parties = {
  readonly currency: Currency;
  readonly userId?: string;
  readonly address?: string;
  /** The receiving address, when both addresses are ours. */
  readonly toAddress?: string;
  readonly orderId?: string | null;
  readonly contractId?: string;
  /** The own account of the marketplace at the payment provider; without it the shared account. */
  readonly providerAccount?: string | null;
};

type Move = {
  readonly from: (parties: Parties) => Account;
  readonly to: (parties: Parties) => Account;
  /** Null: the source may be negative or cannot have too little. */
  readonly short: ErrorCode | null;
};

const named = <T>(value: T | null | undefined, what: string): T => {
  if (value === undefined || value === null) throw new Error(`the move needs ${what}`);
  return value;
};

const ofAvailable = ({ userId, currency }: Parties) => available(named(userId, 'a user'), currency);
const ofReserved = ({ userId, currency }: Parties) => reserved(named(userId, 'a user'), currency);
const ofOperator = ({ currency }: Parties) => adjustments(currency);
const ofOpening = ({ currency }: Parties) => openingBalances(currency);
const ofWallet = ({ address, currency }: Parties) => walletHolding(named(address, 'an address'), currency);
const ofReceiver = ({ toAddress, currency }: Parties) => walletHolding(named(toAddress, 'a receiver'), currency);
const ofEscrow = ({ orderId, currency }: Parties) => orderEscrow(named(orderId, 'an order'), currency);
const ofPlatform = ({ currency }: Parties) => platformFees(currency);
const ofContract = ({ contractId, currency }: Parties) => contractHolding(named(contractId, 'a contract'), currency);
const ofSurplus = ({ currency }: Parties) => escrowSurplus(currency);
const ofLateTopups = ({ currency }: Parties) => lateTopups(currency);
const ofNetwork = ({ currency }: Parties) => networkFees(currency);
const ofFloat = ({ currency, providerAccount }: Parties) => paymentFloat(currency, providerAccount);
const ofFloatOwed = ({ currency, providerAccount }: Parties) => floatOwed(currency, providerAccount);

export const MOVES = {
  credit: { from: ofOperator, to: ofAvailable, short: null },
  /** What the user had in another system before. The operator brings the money in separately. */
  opening_credit: { from: ofOpening, to: ofAvailable, short: null },
  debit: { from: ofAvailable, to: ofOperator, short: 'INSUFFICIENT_FUNDS' },
  reserve: { from: ofAvailable, to: ofReserved, short: 'INSUFFICIENT_FUNDS' },
  release: { from: ofReserved, to: ofAvailable, short: 'RESERVATION_EXCEEDED' },
  cancel_reservation: { from: ofReserved, to: ofAvailable, short: 'RESERVATION_EXCEEDED' },
  deduct_reserved: { from: ofReserved, to: ofOperator, short: 'INVALID_RESERVED_DEDUCTION' },

  /** A user's wallet received money from outside. */
  deposit: { from: ofWallet, to: ofAvailable, short: null },
  /** The treasury or a platform wallet received money from outside: the operator paid it in. */
  house_deposit: { from: ofWallet, to: ofOperator, short: null },
  /** From one of our addresses to another. */
  wallet_payment: { from: ofReceiver, to: ofWallet, short: null },
  /** An address of ours paid the network for a transaction. */
  network_fee: { from: ofNetwork, to: ofWallet, short: null },
  /** Two currencies are backed by one asset. Money leaves the books of the first currency … */
  exchange_out: { from: ofOperator, to: ofWallet, short: null },
  /** … and enters the books of the second. */
  exchange_in: { from: ofReceiver, to: ofOperator, short: null },
  /** The ledger shows more at a user's address than the books explain … */
  sync_gain: { from: ofWallet, to: ofAvailable, short: null },
  /** … or less. The missing amount is a loss of the operator. */
  sync_loss: { from: ofAvailable, to: ofWallet, short: null },
  sync_write_off: { from: ofOperator, to: ofWallet, short: null },
  /** One of our addresses spent money that no payment record explains. The ledger allowed it, so the money was there. */
  unexplained: { from: ofWallet, to: ofOperator, short: null },
  /** A deposit or a payment of our own that comes into the books later explains such money. It is not the operator's. */
  unexplained_reversal: { from: ofOperator, to: ofWallet, short: null },

  /** The buyer's money is in the order's escrow … */
  fund_escrow: { from: ofReserved, to: ofEscrow, short: 'RESERVE_NOT_FOUND' },
  /** … and goes to the seller, less the platform fee, … */
  pay_seller: { from: ofEscrow, to: ofAvailable, short: null },
  platform_fee: { from: ofEscrow, to: ofPlatform, short: null },
  /** … or returns to the buyer in full. */
  refund_buyer: { from: ofEscrow, to: ofAvailable, short: null },
  /** A false report had settled the order. What was paid goes back into the escrow, … */
  release_reversal: { from: ofAvailable, to: ofEscrow, short: 'INSUFFICIENT_FUNDS' },
  platform_fee_reversal: { from: ofPlatform, to: ofEscrow, short: 'INSUFFICIENT_FUNDS' },
  refund_reversal: { from: ofAvailable, to: ofEscrow, short: 'INSUFFICIENT_FUNDS' },
  /** … or from the escrow to the buyer's reserved balance, when the funding was only reported. */
  funding_reversal: { from: ofEscrow, to: ofReserved, short: null },
  /** The same money on the ledger: an address of ours paid into the contract, … */
  contract_funding: { from: ofContract, to: ofWallet, short: null },
  /** … the contract paid one of our addresses, … */
  contract_payment: { from: ofReceiver, to: ofContract, short: null },
  /** … or the provider's protocol. */
  protocol_fee: { from: ofNetwork, to: ofContract, short: null },
  /** An outside address had paid into the contract. It is booked when the contract pays the money out. */
  contract_gain: { from: ofContract, to: ofSurplus, short: null },

  /** A payer paid in at the payment provider. */
  topup: { from: ofFloat, to: ofAvailable, short: null },
  /** A payer paid in for a top-up that had failed or been cancelled: the money is at the payment provider … */
  late_topup: { from: ofFloat, to: ofLateTopups, short: null },
  /** … and is credited to the user. */
  late_topup_credit: { from: ofLateTopups, to: ofAvailable, short: null },
  /** The payment provider's fee for it. The platform bears the fee. */
  payment_fee: { from: ofNetwork, to: ofFloat, short: null },
  /** The balance at the payment provider before our first payment. It belongs to the operator. */
  float_opening: { from: ofFloat, to: ofOperator, short: null },
  /** The provider paid out more than our share of the balance. The other shares lent the difference, and we owe it to them. */
  float_loan: { from: ofFloat, to: ofFloatOwed, short: null },

  /** The operator moves float between marketplaces, or to and from the outside at the provider: one gives it … */
  float_given: { from: ofOperator, to: ofFloat, short: null },
  /** … and another receives it. */
  float_received: { from: ofFloat, to: ofOperator, short: null },

  /** A withdrawal was paid out by the payment provider, … */
  payout: { from: ofReserved, to: ofFloat, short: null },
  /** … or over the ledger, … */
  withdrawal_paid: { from: ofReserved, to: ofWallet, short: null },
  /** … where more was paid than was reserved for it. The difference is a loss of the operator. */
  withdrawal_excess: { from: ofOperator, to: ofWallet, short: null },
  /** One of our addresses paid an outside address, and the database no longer knows why. The operator has accepted it as a loss. */
  forgotten_payment: { from: ofOperator, to: ofWallet, short: null },
  /** The payment provider paid more than was asked for. The difference is a loss of the operator, … */
  payout_excess: { from: ofOperator, to: ofFloat, short: null },
  /** … or less. The operator holds the difference and decides about it. */
  payout_shortfall: { from: ofReserved, to: ofOperator, short: null },
  /** The withdrawal will certainly not be paid. */
  withdrawal_return: { from: ofReserved, to: ofAvailable, short: null },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof MOVES;
