// Links an account at the payment provider to a user. Linking the same account again changes nothing. Another account replaces the
// first one: that is a change, with an event of its own, and payouts may have to wait before they use it.

import { formatInstant, parseInstant } from '../../base/instant.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { type BalanceKey, balanceNeeds, balanceOf } from '../../commit/money.ts';
import type { CheckedAccount } from './payment-account.ts';
import { masked, type User, type UserReply } from './user.ts';

type LinkInput = BalanceKey & { readonly account: CheckedAccount; readonly changeWaitMs: number };

/** Also when the account was linked by its id and is now named by its e-mail. */
const isSameAccount = (user: User, { accountId, paymentAccountUserId }: CheckedAccount): boolean =>
  user.paymentAccountUserId === paymentAccountUserId || (accountId !== null && user.paymentAccountId === accountId);

const waitUntil = ({ now }: UnitOfWork, waitMs: number): string | null =>
  waitMs === 0 ? null : formatInstant(parseInstant(now)! + waitMs * 1_000);

/** What is stored; the same object when nothing changes. */
const linked = (work: UnitOfWork, { user, input }: { user: User; input: LinkInput }): User => {
  const { paymentAccountUserId, accountId, email } = input.account;
  const isSame = isSameAccount(user, input.account);
  const isNamedAnew = user.paymentAccountUserId !== paymentAccountUserId;
  const known = isSame ? user : { paymentAccountId: null, paymentAccountEmail: null };
  const paymentAccountId = accountId ?? known.paymentAccountId;
  const paymentAccountEmail = email ?? known.paymentAccountEmail;
  const isKnown = paymentAccountId === user.paymentAccountId && paymentAccountEmail === user.paymentAccountEmail;
  if (isSame && isKnown && !isNamedAnew) return user;
  const waits = user.paymentAccountUserId !== null && !isSame;
  return {
    ...user,
    paymentAccountUserId,
    paymentAccountLinkedAt: isNamedAnew ? work.now : user.paymentAccountLinkedAt,
    paymentAccountId,
    paymentAccountEmail,
    paymentAccountActiveFrom: waits ? waitUntil(work, input.changeWaitMs) : user.paymentAccountActiveFrom,
    updatedAt: work.now,
  };
};

const emitLinked = (work: UnitOfWork, { before, after }: { before: User; after: User }): void => {
  const { id: userId } = after;
  const paymentAccountUserId = after.paymentAccountUserId!;
  if (before.paymentAccountUserId === paymentAccountUserId) return;
  work.emit({
    type: 'user.payment_account_linked',
    aggregateId: userId,
    userId,
    payload: { userId, paymentAccountUserId, linkedAt: work.now },
  });
};

const emitChanged = (work: UnitOfWork, { before, after }: { before: User; after: User }): void => {
  const { id: userId } = after;
  work.emit({
    type: 'user.payment_account_changed',
    aggregateId: userId,
    userId,
    payload: {
      userId,
      paymentAccountUserId: after.paymentAccountUserId!,
      previousPaymentAccountUserId: before.paymentAccountUserId!,
      changedAt: work.now,
      payoutsFrom: after.paymentAccountActiveFrom ?? work.now,
    },
  });
};

export const linkPaymentAccount = command<LinkInput, UserReply>({
  name: 'link-payment-account',
  needs: (input) => balanceNeeds(input, []),
  decide(input, work) {
    const { userId, account } = input;
    const user = work.get('users', userId);
    const balance = balanceOf(work, input);
    const after = linked(work, { user, input });
    if (after === user) return { user, balance };
    const isChange = user.paymentAccountUserId !== null && !isSameAccount(user, account);
    work.put('users', after);
    emitLinked(work, { before: user, after });
    if (isChange) emitChanged(work, { before: user, after });
    work.audit({
      action: isChange ? 'USER_PAYMENT_ACCOUNT_CHANGED' : 'USER_PAYMENT_ACCOUNT_LINKED',
      resourceType: 'User',
      resourceId: userId,
      before: { paymentAccountUserId: masked(user.paymentAccountUserId) },
      after: {
        paymentAccountUserId: masked(after.paymentAccountUserId),
        ...(isChange && after.paymentAccountActiveFrom !== null ? { payoutsFrom: after.paymentAccountActiveFrom } : {}),
      },
    });
    return { user: after, balance };
  },
});
