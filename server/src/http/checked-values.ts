// Values that routes check or present themselves, because their schema cannot: amounts and cursors.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type IdKind, idPattern } from '@holdfast/contract/ids.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../base/domain-error.ts';
import { type Amount, formatAmount, formatExact, parseAmount, ZERO } from '../books/money.ts';
import { validationError } from './validation/messages.ts';

const AMOUNT_RULE = 'amount must be a positive decimal string with at most two places and eleven whole digits';

/** For routes whose list of errors has INVALID_AMOUNT. */
export const validAmount = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new DomainError('INVALID_AMOUNT', { details: { amount: text } });
  return amount;
};

const ZERO_TEXT = /^0+(\.0{1,2})?$/;

/** An amount that may be zero, such as a limit. Null: it is no amount. */
export const amountOrZero = (text: string): Amount | null => (ZERO_TEXT.test(text) ? ZERO : parseAmount(text));

/** The limits that the settings give to an amount. */
export type AmountLimits = { readonly amountMin: Amount; readonly amountMax: Amount };

type Limited = AmountLimits & { readonly of: 'an order' | 'a top-up' | 'a withdrawal'; readonly currency: Currency };

/** An amount within its limits; the refusal shows them. */
export const amountWithin = (text: string, { amountMin, amountMax, of, currency }: Limited): Amount => {
  const amount = parseAmount(text);
  if (amount !== null && amount >= amountMin && amount <= amountMax) return amount;
  const min = formatAmount(amountMin);
  const max = formatAmount(amountMax);
  throw new DomainError('INVALID_AMOUNT', {
    message: `The amount of ${of} must be a decimal string with at most two places, from ${min} to ${max}.`,
    details: { amount: text, min, max, currency },
  });
};

/** For routes whose list of errors has no INVALID_AMOUNT: the amount is a field like any other. */
export const validField = (text: string, read = parseAmount): Amount => {
  const amount = read(text);
  if (amount === null) throw validationError([AMOUNT_RULE]);
  return amount;
};

/** For amounts that must add up to the last place: only zeros after the cents are cut off. */
export const presentExact = (amount: Amount): string => formatExact(amount).replace(/(\.\d\d\d*?)0+$/, '$1');

export const badCursor = (): DomainError => validationError(['cursor must be the nextCursor of the page before']);

/** The cursor of a page is the id of its last item. Anything else is refused, so that a mistake does not look like the last page. */
export const checkedCursor = (kind: IdKind, cursor: string | undefined): string | null => {
  if (cursor === undefined) return null;
  if (!new RegExp(idPattern(kind)).test(cursor)) throw badCursor();
  return cursor;
};

type ListRequest<Query> = { readonly query: Query; readonly context: { readonly marketplaceId: string } };

/** The page that a list route reads: the filters of the query, in the marketplace of the caller, from the cursor on. */
export const pageRequest = <Query extends { readonly limit?: number; readonly cursor?: string }>(
  kind: IdKind,
  { query, context: { marketplaceId } }: ListRequest<Query>,
) => {
  const { limit = LIMITS.pageSizeDefault, cursor } = query;
  return { ...query, marketplaceId, limit, cursor: checkedCursor(kind, cursor) };
};
