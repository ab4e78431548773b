// Checks a new top-up and stores it before the payment provider is called, so that it is found again by its id after any
// outcome of the call. A repeated request gets the same top-up. No money moves.

import { isPayable, PAYABLE_CURRENCIES } from '@holdfast/contract/api/topups.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { type Amount, formatAmount, settingAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import { type AmountLimits, amountWithin } from '../../http/checked-values.ts';
import { validationError } from '../../http/validation/messages.ts';
import { CREDENTIALS_NEED, pinnedAccount } from '../provider-credentials/provider-credentials.ts';
import type { TopUp } from './topup.ts';

export type CreateTopUpInput = {
  readonly userId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  /** Null without an Idempotency-Key. */
  readonly requestKey: RequestKey | null;
};

type RequestKey = {
  /** Hash of the caller and its Idempotency-Key. */
  readonly hash: string;
  /** After this time the same key is a new request. */
  readonly retentionMs: number;
};

const REQUESTED = ['userId', 'amount', 'currency', 'description', 'returnUrl', 'cancelUrl'] as const;

const isSame = (known: TopUp, input: CreateTopUpInput): boolean =>
  REQUESTED.every((name) => known[name] === input[name]);

/** The top-up that an earlier request with the same key created. An older one gives its key up: the key counts as new. */
const findRepeated = ({ requestKey }: CreateTopUpInput, work: UnitOfWork): TopUp | null => {
  const known = requestKey && work.findBy('topups', { by: 'requestKey', value: requestKey.hash });
  if (!known) return null;
  const keptUntil = parseInstant(known.createdAt)! + requestKey.retentionMs * 1_000;
  if (work.now < formatInstant(keptUntil)) return known;
  work.put('topups', { ...known, requestKey: null });
  return null;
};

export const createTopUp = command<CreateTopUpInput, TopUp>({
  name: 'create-topup',
  needs: ({ userId, requestKey }) => ({
    rows: [
      { table: 'users', id: userId },
      CREDENTIALS_NEED,
      ...(requestKey === null ? [] : [{ table: 'topups', by: 'requestKey', value: requestKey.hash } as const]),
    ],
  }),
  decide(input, work) {
    const { userId, currency, requestKey } = input;
    const known = findRepeated(input, work);
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
      requestKey: requestKey?.hash ?? null,
      id: work.newId('topup'),
      status: 'TOPUP_CREATED',
      providerPayinId: null,
      ...pinnedAccount(work),
      confirmationUri: null,
      cancelAsk: null,
      failureReason: null,
      errorCode: null,
      fee: null,
      lateAmount: null,
      correctedAt: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('topups', topup);
    const amount = formatAmount(topup.amount);
    work.emit({ type: 'topup.created', aggregateId: topup.id, userId, payload: { userId, amount, currency } });
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

type TopUpBody = {
  readonly userId: string;
  readonly amount: string;
  readonly currency?: Currency;
  readonly description?: string;
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
};

type TopUpRules = AmountLimits & { readonly baseCurrency: Currency };

export const topUpRules = ({ money }: Pick<Config, 'money'>): TopUpRules => ({
  baseCurrency: money.baseCurrency,
  amountMin: settingAmount(money.topupAmountMin),
  amountMax: settingAmount(money.topupAmountMax),
});

/** A user name before an @ would be shown by the browser and stored with the top-up. */
const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
};

const problemsOf = (body: TopUpBody, currency: Currency): string[] => [
  ...(isPayable(currency) ? [] : [`currency must be one of ${PAYABLE_CURRENCIES.join(', ')}`]),
  ...(['returnUrl', 'cancelUrl'] as const).flatMap((name) => {
    const url = body[name];
    return url === undefined || isWebAddress(url) ? [] : [`${name} must be an http or https URL without a user name`];
  }),
];

/**
 * Checks what the schema cannot express: an amount within the limits, a currency that the payment provider can pay, and URLs that a
 * browser can be redirected to.
 */
export const topUpInput = (body: TopUpBody, rules: TopUpRules): Omit<CreateTopUpInput, 'requestKey'> => {
  const { userId, currency = rules.baseCurrency, description, returnUrl, cancelUrl } = body;
  const problems = problemsOf(body, currency);
  if (problems.length > 0) throw validationError(problems);
  return {
    userId,
    amount: amountWithin(body.amount, { ...rules, of: 'a top-up', currency }),
    currency,
    description: description ?? null,
    returnUrl: returnUrl ?? null,
    cancelUrl: cancelUrl ?? null,
  };
};
