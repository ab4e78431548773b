// The checks of a new withdrawal that its schema cannot express: an amount within the limits, a currency that the destination can
// receive, and only the fields that belong to the destination type.

import { PAYABLE_CURRENCIES } from '@holdfast/contract/api/topups.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type { DestinationType } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount, parseAmount } from '../../books/money.ts';
import type { Config } from '../../config/config.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { WithdrawalRequest } from './destination.ts';

type WithdrawalBody = {
  readonly userId: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly destination: {
    readonly type: DestinationType;
    readonly ref?: string;
    readonly address?: string;
    readonly email?: string;
  };
  readonly commit?: boolean;
};

export type WithdrawalRules = { readonly amountMin: Amount; readonly amountMax: Amount };

const limit = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`the setting ${text} is not an amount`);
  return amount;
};

export const withdrawalRules = ({ money }: Pick<Config, 'money'>): WithdrawalRules => ({
  amountMin: limit(money.withdrawalAmountMin),
  amountMax: limit(money.withdrawalAmountMax),
});

const isPayable = (currency: Currency): boolean => PAYABLE_CURRENCIES.some((payable) => payable === currency);

const problemsOf = ({ currency, destination }: WithdrawalBody): string[] => {
  const { type, address, email } = destination;
  // A field of another destination type means that the caller wants that type.
  if (type === 'crypto') return email === undefined ? [] : ['destination.email does not belong to crypto'];
  return [
    ...(address === undefined ? [] : [`destination.address does not belong to ${type}`]),
    ...(isPayable(currency) ? [] : [`currency must be one of ${PAYABLE_CURRENCIES.join(', ')}, or type crypto`]),
  ];
};

const amountWithin = (
  { amount: text, currency }: WithdrawalBody,
  { amountMin, amountMax }: WithdrawalRules,
): Amount => {
  const amount = parseAmount(text);
  if (amount !== null && amount >= amountMin && amount <= amountMax) return amount;
  const min = formatAmount(amountMin);
  const max = formatAmount(amountMax);
  throw new DomainError('INVALID_AMOUNT', {
    message: `The amount of a withdrawal must be a decimal string with at most two places, from ${min} to ${max}.`,
    details: { amount: text, min, max, currency },
  });
};

export const withdrawalRequest = (body: WithdrawalBody, rules: WithdrawalRules): WithdrawalRequest => {
  const problems = problemsOf(body);
  if (problems.length > 0) throw validationError(problems);
  const { userId, currency, commit = false } = body;
  const { type, ref = null, address = null, email = null } = body.destination;
  return {
    userId,
    amount: amountWithin(body, rules),
    currency,
    commit,
    destination: { type, ref, address, email },
  };
};
