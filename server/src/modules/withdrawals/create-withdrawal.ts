// Stores a withdrawal and reserves its money, before any outside system knows it. With `commit` it is committed for payment in the
// same commit, so that a repeat of the request finds one withdrawal and never creates a second.

import { DomainError } from '../../base/domain-error.ts';
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
  readonly memo?: Withdrawal['memo'];
  readonly memoType?: Withdrawal['memoType'];
  readonly commit: boolean;
  /** When the user's payment account was linked, as the check of the destination saw it. */
  readonly payeeLinkedAt: string | null;
  /** False: what the payment provider held before the first payment is not in the books yet. */
  readonly isFloatOpened: boolean;
};

const OVER_LEDGER = { credentialsId: null, providerAccount: null };

const newWithdrawal = (
  work: UnitOfWork,
  requested: Omit<CreateWithdrawalInput, 'commit' | 'payeeLinkedAt' | 'isFloatOpened'>,
): Withdrawal => ({
  ...requested,
  memo: requested.memo ?? null,
  memoType: requested.memoType ?? null,
  id: work.newId('withdrawal'),
  status: 'WITHDRAWAL_CREATED',
  paid: ZERO,
  executed: null,
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

const refuse = (destinationType: string, reason: string): DomainError =>
  new DomainError('WITHDRAWAL_DESTINATION_INVALID', {
    message: `This destination cannot be paid: ${reason} The balance is unchanged.`,
    details: { destinationType, reason },
  });

/** The linked account may have changed since the destination was checked, and a changed account may have to wait. */
const requirePayee = (work: UnitOfWork, input: CreateWithdrawalInput): void => {
  const { paymentAccountLinkedAt, paymentAccountActiveFrom } = work.get('users', input.userId);
  if (input.address !== null) return;
  if (paymentAccountLinkedAt !== input.payeeLinkedAt) {
    throw refuse(input.destinationType, 'the linked payment account has just changed. Send the request again.');
  }
  if (paymentAccountActiveFrom === null || paymentAccountActiveFrom <= work.now) return;
  throw refuse(
    input.destinationType,
    `the linked payment account was changed, and payouts use it from ${paymentAccountActiveFrom}. Send the request then.`,
  );
};

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
  decide(input, work) {
    const { commit, isFloatOpened, payeeLinkedAt: _, ...requested } = input;
    const { userId, currency } = requested;
    refuseSuspended(work, userId);
    requirePayee(work, input);
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
