// Writes a withdrawal down and sets its money aside, before anybody outside hears of it. With `commit` it is claimed for
// paying out in the same commit, so that a repeat of the request finds one withdrawal and never makes a second.

import { available, reserved } from '../../books/accounts.ts';
import { formatAmount, ZERO } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { auditedBalance, balanceOf } from '../../commit/money.ts';
import type { Withdrawal } from './withdrawal.ts';
import { setAside } from './withdrawal-money.ts';
import { moveWithdrawal, refuseSuspended } from './withdrawal-work.ts';

export type CreateWithdrawalInput = Pick<
  Withdrawal,
  'userId' | 'amount' | 'currency' | 'destinationType' | 'destinationRef' | 'address' | 'email' | 'walletId'
> & { readonly commit: boolean };

const destinationShown = ({ destinationRef, address, email }: Withdrawal): string =>
  destinationRef ?? address ?? email ?? '';

export const createWithdrawal = command<CreateWithdrawalInput, Withdrawal>({
  name: 'create-withdrawal',
  needs: ({ userId, currency }) => ({
    rows: [{ table: 'users', id: userId }],
    accounts: [available(userId, currency), reserved(userId, currency)],
  }),
  decide({ commit, ...asked }, desk) {
    const { userId, currency } = asked;
    refuseSuspended(desk, userId);
    const withdrawal: Withdrawal = {
      ...asked,
      id: desk.newId('withdrawal'),
      status: 'WITHDRAWAL_CREATED',
      paid: ZERO,
      ...{ providerPayoutId: null, transactionId: null, refusal: null, actionRequired: null, actionUrl: null },
      ...{ failureReason: null, errorCode: null, canceledBy: null, committedAt: null, completedAt: null },
      ...{ createdAt: desk.now, updatedAt: desk.now },
    };
    const before = balanceOf(desk, { userId, currency });
    setAside(desk, withdrawal);
    desk.put('withdrawals', withdrawal);
    const { id, status, destinationType } = withdrawal;
    const amount = formatAmount(withdrawal.amount);
    const told = { withdrawalId: id, userId, amount, currency, destinationType };
    desk.emit('withdrawal.created', id, { ...told, destinationRef: destinationShown(withdrawal) }, { userId });
    desk.audit({
      action: 'WITHDRAWAL_CREATED',
      resourceType: 'Withdrawal',
      resourceId: id,
      userId,
      before: auditedBalance(before),
      after: { ...auditedBalance(balanceOf(desk, { userId, currency })), status, amount, destinationType },
    });
    return commit ? moveWithdrawal(desk, withdrawal, { status: 'WITHDRAWAL_COMMITTED' }) : withdrawal;
  },
});
