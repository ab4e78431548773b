// The effect of a ledger payment on its withdrawal: in progress, paid, or ended without effect. At most one payment is in progress,
// so that a withdrawal is never paid twice. An amount that the ledger paid is always booked, in every state of the row.

import { fromUnits, least, minus, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { type ActionOwners, ActionRefused, type WithdrawalPaid } from '../../ledger/transactions/action-owners.ts';
import type { Ending } from '../../ledger/transactions/settle-transaction.ts';
import { withdrawalRow } from './machine.ts';
import { isEnded, restOf, type Withdrawal } from './withdrawal.ts';
import { payOverLedger, withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal, recordPart } from './withdrawal-work.ts';

/** A payment of the withdrawal is signed and may still be included in the ledger, or the provider has its payout. */
export class PaymentInProgress extends ActionRefused {
  constructor() {
    super('A payment of this withdrawal is in progress.');
  }
}

/** The withdrawal is not committed, or has ended. */
export class WithdrawalNotPayable extends ActionRefused {
  constructor() {
    super('This withdrawal is not committed, or has ended.');
  }
}

/** The signed payment has another destination, memo or amount than the withdrawal asks for now. It must never be sent. */
export class PaymentDiffers extends ActionRefused {
  constructor() {
    super('The signed payment is not what the withdrawal asks for.');
  }
}

type PaymentAction = Parameters<ActionOwners['withdrawal']['begin']>[1]['action'];
type Begun = { readonly action: PaymentAction; readonly transactionId: string };

/** Another process may have paid a part since the payment was built: then the rest is smaller. */
const isAsStored = ({ to, memo, units }: PaymentAction, withdrawal: Withdrawal): boolean =>
  to === withdrawal.address &&
  fromUnits(BigInt(units)) === restOf(withdrawal) &&
  (memo?.value ?? null) === withdrawal.memo &&
  (memo?.type ?? null) === withdrawal.memoType;

/** Runs before the payment is sent. A refused payment must never be sent: two processes may pay one withdrawal. */
const beginPayment = (work: UnitOfWork, { action, transactionId }: Begun): void => {
  const withdrawal = work.get('withdrawals', action.withdrawalId);
  if (withdrawal.status !== 'WITHDRAWAL_COMMITTED') throw new WithdrawalNotPayable();
  if (withdrawal.transactionId !== null) throw new PaymentInProgress();
  if (!isAsStored(action, withdrawal)) throw new PaymentDiffers();
  work.put('withdrawals', { ...withdrawal, transactionId, updatedAt: work.now });
};

/** The ledger paid this amount. An amount beyond the reserved rest is a loss of the operator. */
const bookWithdrawal = (work: UnitOfWork, paid: WithdrawalPaid): void => {
  const { withdrawalId, address, amount, transactionId } = paid;
  const withdrawal = work.get('withdrawals', withdrawalId);
  const { status: from, currency } = withdrawal;
  const part = isEnded(withdrawal) ? ZERO : least(amount, restOf(withdrawal));
  const excess = minus(amount, part);
  if (part === ZERO) {
    if (excess > ZERO) work.move('withdrawal_excess', { address, currency, amount: excess, reference: withdrawalId });
  } else if (part === restOf(withdrawal)) {
    const row = withdrawalRow({ from, on: 'ledger.paid' });
    moveWithdrawal(work, { withdrawal, row, transactionId, payment: { address, excess } });
  } else {
    payOverLedger(work, { withdrawal, address, amount: part });
    recordPart(work, { withdrawal, part });
  }
};

const isOwn = (withdrawal: Withdrawal, transactionId: string): boolean =>
  !isEnded(withdrawal) && withdrawal.transactionId === transactionId;

type Ended = { readonly withdrawalId: string; readonly transactionId: string; readonly ending: Ending };

/**
 * A payment that failed on the ledger certainly paid nothing, so the withdrawal fails. After an expired or rejected payment another one
 * may be sent. A rejected envelope may still be included: createFailure in ledger-payout.ts excludes that before the withdrawal fails.
 */
const endPayment = (work: UnitOfWork, { withdrawalId, transactionId, ending }: Ended): void => {
  const withdrawal = work.get('withdrawals', withdrawalId);
  if (ending.kind === 'succeeded' || !isOwn(withdrawal, transactionId)) return;
  if (ending.kind === 'failed') {
    const row = withdrawalRow({ from: withdrawal.status, on: 'ledger.refused' });
    const reason = `The payment failed on the ledger: ${ending.reason}`;
    moveWithdrawal(work, { withdrawal, row, reason, code: ending.reason });
    return;
  }
  work.put('withdrawals', { ...withdrawal, transactionId: null, updatedAt: work.now });
};

export const withdrawalPaymentOwner: ActionOwners['withdrawal'] = {
  beginNeeds: ({ withdrawalId }) => [{ table: 'withdrawals', id: withdrawalId }],
  begin: beginPayment,
  endNeeds: ({ withdrawalId }) => [{ table: 'withdrawals', id: withdrawalId }],
  endNeedsNext: (work, { withdrawalId }) => withdrawalNeedsNext(work, withdrawalId),
  book: bookWithdrawal,
  end: (work, { action: { withdrawalId }, ...ended }) => endPayment(work, { withdrawalId, ...ended }),
};
