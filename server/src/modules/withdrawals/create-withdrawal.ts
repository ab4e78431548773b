// Writes a withdrawal down and sets its money aside, before anybody outside hears of it. With `commit` it is claimed for
// paying out in the same commit, so that a repeat of the request finds one withdrawal and never makes a second.

import { available, reserved } from '../../books/accounts.ts';
import { formatAmount, ZERO } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { auditedBalance, balanceOf } from '../../commit/money.ts';
import { isUnderWay, type Withdrawal } from './withdrawal.ts';
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
  decide({ commit, ...asked }, work) {
    const { userId, currency } = asked;
    refuseSuspended(work, userId);
    const withdrawal: Withdrawal = {
      ...asked,
      id: work.newId('withdrawal'),
      status: 'WITHDRAWAL_CREATED',
      paid: ZERO,
      ...{ providerPayoutId: null, transactionId: null, refusal: null, actionRequired: null, actionUrl: null },
      ...{ failureReason: null, errorCode: null, canceledBy: null, committedAt: null, completedAt: null },
      ...{ createdAt: work.now, updatedAt: work.now },
    };
    const before = balanceOf(work, { userId, currency });
    setAside(work, withdrawal);
    work.put('withdrawals', withdrawal);
    const { id, status, destinationType } = withdrawal;
    const amount = formatAmount(withdrawal.amount);
    const told = { withdrawalId: id, userId, amount, currency, destinationType };
    work.emit('withdrawal.created', id, { ...told, destinationRef: destinationShown(withdrawal) }, { userId });
    work.audit({
      action: 'WITHDRAWAL_CREATED',
      resourceType: 'Withdrawal',
      resourceId: id,
      userId,
      before: auditedBalance(before),
      after: { ...auditedBalance(balanceOf(work, { userId, currency })), status, amount, destinationType },
    });
    return commit ? moveWithdrawal(work, withdrawal, { status: 'WITHDRAWAL_COMMITTED' }) : withdrawal;
  },
  reactions: ({ reply }) =>
    reply && isUnderWay(reply) ? [{ name: 'withdrawal-committed', payload: { withdrawal: reply } }] : [],
});

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'withdrawal-committed': { readonly withdrawal: Withdrawal };
  }
}
