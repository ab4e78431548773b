// The moves of a withdrawal. Its amount is reserved when it is created. An amount that was certainly paid is paid out, and an amount
// that certainly will not be paid is returned. No other command can draw on the reservation of a withdrawal.

import { adjustments, available, reserved } from '../../books/accounts.ts';
import { type Amount, formatAmount, least, minus, ZERO } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import type { Needs, UnitOfWork } from '../../commit/command.ts';
import { availableChange, balanceOf } from '../../commit/money.ts';
import { drawReservation, lockReservation, reservationId, reservationNeed } from '../balances/reservation.ts';
import { coverFloat, endClaim, FLOAT_NEEDS, floatAccounts } from '../float/float.ts';
import { giveBackCount, giveBackNeeds } from '../limits/day-counts.ts';
import type { WithdrawalMove } from './machine.ts';
import { isFromFloat, restOf, type Withdrawal } from './withdrawal.ts';

const NOTHING: Required<Needs> = { rows: [], accounts: [] };

export const floatNeeds = (withdrawal: Pick<Withdrawal, 'address' | 'providerAccount'>): Required<Needs> => {
  if (withdrawal.providerAccount !== null) return { rows: [], accounts: floatAccounts(withdrawal.providerAccount) };
  return isFromFloat(withdrawal) ? FLOAT_NEEDS : NOTHING;
};

/** The user of the withdrawal, its reservation, and the accounts that its moves touch. */
export const withdrawalNeedsNext = (work: UnitOfWork, withdrawalId: string): Required<Needs> => {
  const withdrawal = work.find('withdrawals', withdrawalId);
  if (!withdrawal) return { rows: [], accounts: [] };
  const { userId, currency } = withdrawal;
  const float = floatNeeds(withdrawal);
  return {
    rows: [
      { table: 'users', id: userId },
      reservationNeed({ userId, currency }, withdrawalId),
      ...giveBackNeeds({ counted: 'withdrawal', userId, currency }),
      ...float.rows,
    ],
    accounts: [
      available(userId, currency),
      reserved(userId, currency),
      // The difference of a payout over another amount.
      adjustments(currency),
      ...float.accounts,
    ],
  };
};

/** The reservation is new and locked from the start, so no balance route ever draws on it. */
export const reserveAmount = (work: UnitOfWork, withdrawal: Withdrawal): void => {
  const { id, userId, currency, amount, destinationRef: description } = withdrawal;
  const before = balanceOf(work, { userId, currency });
  work.move('reserve', { userId, currency, amount, reference: id, description });
  work.put('reservations', {
    id: reservationId({ userId, currency }, id),
    userId,
    currency,
    orderRef: id,
    amount,
    remaining: amount,
    locked: true,
    openedAt: work.now,
    updatedAt: work.now,
  });
  const change = availableChange(before, balanceOf(work, { userId, currency }));
  const payload = { userId, amount: formatAmount(amount), currency, destination: 'withdrawal', destinationId: id };
  work.emit({ type: 'balance.debited', aggregateId: userId, userId, payload: { ...payload, ...change } });
};

type Drawing = { readonly withdrawal: Withdrawal; readonly move: MoveName; readonly amount: Amount };

const draw = (work: UnitOfWork, { withdrawal, move: name, amount }: Drawing): void => {
  const { id: orderId, userId, currency } = withdrawal;
  lockReservation(work, { userId, currency, orderId, locked: false });
  drawReservation(work, { move: name, userId, currency, amount, orderId });
  // The rest may still have to be paid.
  if (amount < restOf(withdrawal)) lockReservation(work, { userId, currency, orderId, locked: true });
};

type PaidPart = { readonly withdrawal: Withdrawal; readonly address: string; readonly amount: Amount };

/** The ledger has paid this amount from one of our addresses. */
export const payOverLedger = (work: UnitOfWork, { withdrawal, ...of }: PaidPart): void => {
  const { id: reference, userId, currency, destinationRef: description } = withdrawal;
  draw(work, { withdrawal, move: 'withdrawal_paid', amount: of.amount });
  work.move('withdrawal_paid', { ...of, userId, currency, reference, description });
};

/** The address that paid, and how much it paid beyond the rest of the withdrawal. */
export type LedgerPayment = { readonly address: string; readonly excess: Amount };

type Posted = {
  readonly withdrawal: Withdrawal;
  readonly payment: LedgerPayment | undefined;
  /** What the payment provider has paid. */
  readonly executed: Amount;
};

/** Posts one move of a machine's row. `withdrawal` is the row before the transition, so its rest is still open. */
export const POST: Readonly<Record<WithdrawalMove, (work: UnitOfWork, posted: Posted) => void>> = {
  /** Covers a float that is smaller than the payout. */
  float_loan(work, { withdrawal, executed }) {
    const { id: reference, currency, providerAccount } = withdrawal;
    coverFloat(work, { currency, amount: executed, reference, providerAccount });
  },
  payout(work, { withdrawal, executed }) {
    const { id: reference, userId, currency, destinationRef: description, providerAccount } = withdrawal;
    const rest = restOf(withdrawal);
    const amount = least(rest, executed);
    draw(work, { withdrawal, move: 'payout', amount: rest });
    if (amount > ZERO) work.move('payout', { userId, currency, amount, reference, description, providerAccount });
    if (isFromFloat(withdrawal)) endClaim(work, rest);
  },
  payout_excess(work, { withdrawal, executed }) {
    const { id: reference, currency, providerAccount } = withdrawal;
    const amount = minus(executed, restOf(withdrawal));
    if (amount > ZERO) work.move('payout_excess', { currency, amount, reference, providerAccount });
  },
  payout_shortfall(work, { withdrawal, executed }) {
    const { id: reference, userId, currency } = withdrawal;
    const amount = minus(restOf(withdrawal), executed);
    if (amount > ZERO) work.move('payout_shortfall', { userId, currency, amount, reference });
  },
  withdrawal_paid(work, { withdrawal, payment }) {
    if (payment) payOverLedger(work, { withdrawal, address: payment.address, amount: restOf(withdrawal) });
  },
  withdrawal_excess(work, { withdrawal: { id: reference, currency }, payment }) {
    if (!payment || payment.excess === ZERO) return;
    work.move('withdrawal_excess', { address: payment.address, currency, amount: payment.excess, reference });
  },
  /** The unpaid rest is available again. */
  withdrawal_return(work, { withdrawal }) {
    const { id, userId, currency, createdAt: countedAt } = withdrawal;
    const amount = restOf(withdrawal);
    const before = balanceOf(work, { userId, currency });
    draw(work, { withdrawal, move: 'withdrawal_return', amount });
    work.move('withdrawal_return', { userId, currency, amount, reference: id });
    if (isFromFloat(withdrawal)) endClaim(work, amount);
    giveBackCount(work, { counted: 'withdrawal', userId, currency, amount, countedAt });
    const change = availableChange(before, balanceOf(work, { userId, currency }));
    const payload = { userId, amount: formatAmount(amount), currency, source: 'withdrawal_cancel', sourceId: id };
    work.emit({ type: 'balance.credited', aggregateId: userId, userId, payload: { ...payload, ...change } });
  },
};
