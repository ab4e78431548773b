// Stores a top-up before the payment provider is called, so that it is found again by its id whatever the call's outcome. A
// repeated request gets the same top-up. No money moves.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import type { TopUp } from './topup.ts';

export type CreateTopUpInput = {
  readonly userId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  /** Hash of the caller and its Idempotency-Key; null without a key. */
  readonly requestKey: string | null;
};

const REQUESTED = ['userId', 'amount', 'currency', 'description', 'returnUrl', 'cancelUrl'] as const;

const isSame = (known: TopUp, input: CreateTopUpInput): boolean =>
  REQUESTED.every((name) => known[name] === input[name]);

export const createTopUp = command<CreateTopUpInput, TopUp>({
  name: 'create-topup',
  needs: ({ userId, requestKey }) => ({
    rows: [
      { table: 'users', id: userId },
      ...(requestKey === null ? [] : [{ table: 'topups', by: 'requestKey', value: requestKey } as const]),
    ],
  }),
  decide(input, work) {
    const { userId, currency, requestKey } = input;
    const known = requestKey === null ? null : work.findBy('topups', 'requestKey', requestKey);
    if (known && !isSame(known, input)) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    if (known) return known;
    const user = work.get('users', userId);
    if (user.status === 'SUSPENDED') {
      throw new DomainError('INVALID_STATE', {
        message: 'The user is suspended. Reactivate the user, then create the top-up.',
        details: { currentState: user.status, allowedActions: ['reactivate'], userId },
      });
    }
    const topup: TopUp = {
      ...input,
      id: work.newId('topup'),
      status: 'TOPUP_CREATED',
      providerPayinId: null,
      confirmationUri: null,
      cancelAsk: null,
      failureReason: null,
      errorCode: null,
      fee: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('topups', topup);
    const amount = formatAmount(topup.amount);
    work.emit('topup.created', topup.id, { userId, amount, currency }, { userId });
    work.audit({
      action: 'TOPUP_CREATED',
      resourceType: 'TopUp',
      resourceId: topup.id,
      userId,
      after: { status: topup.status, amount, currency },
    });
    return topup;
  },
});
