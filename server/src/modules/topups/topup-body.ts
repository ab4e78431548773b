// The checks of a new top-up that its schema cannot express: an amount within the limits, a currency that the payment provider
// can pay, and URLs that a browser can be redirected to.

import { PAYABLE_CURRENCIES } from '@holdfast/contract/api/topups.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount, parseAmount } from '../../books/money.ts';
import type { Config } from '../../config/config.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { CreateTopUpInput } from './create-topup.ts';

type TopUpBody = {
  readonly userId: string;
  readonly amount: string;
  readonly currency?: Currency;
  readonly description?: string;
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
};

export type TopUpRules = { readonly baseCurrency: Currency; readonly amountMin: Amount; readonly amountMax: Amount };

const limit = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`the setting ${text} is not an amount`);
  return amount;
};

export const topUpRules = ({ money }: Pick<Config, 'money'>): TopUpRules => ({
  baseCurrency: money.baseCurrency,
  amountMin: limit(money.topupAmountMin),
  amountMax: limit(money.topupAmountMax),
});

const isPayable = (currency: Currency): boolean => PAYABLE_CURRENCIES.some((payable) => payable === currency);

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

const amountWithin = (
  text: string,
  { amountMin, amountMax, currency }: TopUpRules & { currency: Currency },
): Amount => {
  const amount = parseAmount(text);
  if (amount !== null && amount >= amountMin && amount <= amountMax) return amount;
  const min = formatAmount(amountMin);
  const max = formatAmount(amountMax);
  throw new DomainError('INVALID_AMOUNT', {
    message: `The amount of a top-up must be a decimal string with at most two places, from ${min} to ${max}.`,
    details: { amount: text, min, max, currency },
  });
};

export const topUpInput = (body: TopUpBody, rules: TopUpRules): Omit<CreateTopUpInput, 'requestKey'> => {
  const { userId, currency = rules.baseCurrency, description, returnUrl, cancelUrl } = body;
  const problems = problemsOf(body, currency);
  if (problems.length > 0) throw validationError(problems);
  return {
    userId,
    amount: amountWithin(body.amount, { ...rules, currency }),
    currency,
    description: description ?? null,
    returnUrl: returnUrl ?? null,
    cancelUrl: cancelUrl ?? null,
  };
};
