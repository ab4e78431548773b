// Stores a withdrawal and reserves its money, before any outside system knows it. With `commit` it is committed for payment in the
// same commit, so that a repeat of the request finds one withdrawal and never creates a second.

import { available, reserved } from '../../books/accounts.ts';
import { formatAmount, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, balanceOf } from '../../commit/money.ts';
import { claimFloat } from '../float/float.ts';
import { countNeeds, countTowardsLimits, limitNeed } from '../limits/day-counts.ts';
import { CREDENTIALS_NEED, pinnedAccount } from '../provider-credentials/provider-credentials.ts';
import { withdrawalRow } from './machine.ts';
import { isFromFloat, isUnderWay, type Withdrawal } from './withdrawal.ts';
import { floatNeeds, reserveAmount } from './withdrawal-money.ts';
import { moveWithdrawal, refuseSuspended } from './withdrawal-work.ts';

export type CreateWithdrawalInput = Pick<
  Withdrawal,
  'userId' | 'amount' | 'currency' | 'destinationType' | 'destinationRef' | 'address' | 'email' | 'walletId'
> & {
  readonly commit: boolean;
  /** False: what the payment provider held before the first payment is not in the books yet. */
  readonly isFloatOpened: boolean;
};

const OVER_LEDGER = { credentialsId: null, providerAccount: null };

const newWithdrawal = (
  work: UnitOfWork,
  requested: Omit<CreateWithdrawalInput, 'commit' | 'isFloatOpened'>,
): Withdrawal => ({
  ...requested,
  id: work.newId('withdrawal'),
  status: 'WITHDRAWAL_CREATED',
  paid: ZERO,
  providerPayoutId: null,
  ...(requested.address === null ? pinnedAccount(work) : OVER_LEDGER),
  transactionId: null,
  refusal: null,
  actionRequired: null,
  actionUrl: null,
  failureReason: null,
  errorCode: null,
  canceledBy: null,
  committedAt: null,
  completedAt: null,
  createdAt: work.now,
  updatedAt: work.now,
});

export const createWithdrawal = command<CreateWithdrawalInput, Withdrawal>({
  name: 'create-withdrawal',
  needs: ({ userId, currency, address }) => {
    const float = floatNeeds({ address, providerAccount: null });
    return {
      rows: [{ table: 'users', id: userId }, limitNeed(currency), CREDENTIALS_NEED, ...float.rows],
      accounts: [available(userId, currency), reserved(userId, currency), ...float.accounts],
    };
  },
  needsNext: (input, work) => ({ rows: countNeeds(work, { ...input, counted: 'withdrawal' }) }),
  decide({ commit, isFloatOpened, ...requested }, work) {
    const { userId, currency } = requested;
    refuseSuspended(work, userId);
    const withdrawal = newWithdrawal(work, requested);
    const before = balanceOf(work, { userId, currency });
    reserveAmount(work, withdrawal);
    countTowardsLimits(work, { ...requested, counted: 'withdrawal' });
    if (isFromFloat(withdrawal)) claimFloat(work, { amount: withdrawal.amount, isFloatOpened });
    work.put('withdrawals', withdrawal);
    const { id, status, destinationType } = withdrawal;
    const amount = formatAmount(withdrawal.amount);
    const destinationRef = withdrawal.destinationRef ?? withdrawal.address ?? withdrawal.email ?? '';
    const payload = { withdrawalId: id, userId, amount, currency, destinationType, destinationRef };
    work.emit({ type: 'withdrawal.created', aggregateId: id, userId, payload });
    work.audit({
      action: 'WITHDRAWAL_CREATED',
      resourceType: 'Withdrawal',
      resourceId: id,
      userId,
      before: auditedBalance(before),
      after: { ...auditedBalance(balanceOf(work, { userId, currency })), status, amount, destinationType },
    });
    return commit
      ? moveWithdrawal(work, { withdrawal, row: withdrawalRow({ from: status, on: 'commit' }) })
      : withdrawal;
  },
  reactions: ({ reply }) =>
    reply && isUnderWay(reply) ? [{ name: 'withdrawal-committed', payload: { withdrawal: reply } }] : [],
});

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'withdrawal-committed': { readonly withdrawal: Withdrawal };
  }
}
