// The opening balances that users brought from another system, one row for each user, currency and reference. A credit with the same three is
// refused, whichever key sends it and whenever: an Idempotency-Key alone belongs to one key and expires.

import { hash } from 'node:crypto';
import { DomainError } from '../../base/domain-error.ts';
import type { Amount } from '../../books/money.ts';
import type { Need, UnitOfWork } from '../../commit/command.ts';
import type { Transfer } from '../../commit/money.ts';
import { table } from '../../commit/tables.ts';

type OpeningCredit = { readonly id: string; readonly amount: Amount; readonly createdAt: string };

type Opening = Pick<Transfer, 'userId' | 'currency' | 'amount' | 'reference'>;

const idOf = ({ userId, currency, reference }: Opening): string =>
  `${userId}:${currency}:${hash('sha256', reference ?? '', 'base64url')}`;

export const openingNeed = (opening: Opening): Need => ({ table: 'openingCredits', id: idOf(opening) });

/** Refuses a second one, and records this one. */
export const recordOpening = (work: UnitOfWork, opening: Opening): void => {
  const id = idOf(opening);
  if (work.find('openingCredits', id)) {
    throw new DomainError('OPENING_BALANCE_EXISTS', { details: { reference: opening.reference ?? '' } });
  }
  work.put('openingCredits', { id, amount: opening.amount, createdAt: work.now });
};

declare module '../../commit/tables.ts' {
  interface Tables {
    openingCredits: OpeningCredit;
  }
  interface Lookups {
    openingCredits: Record<never, string>;
  }
}

export const OPENING_CREDITS = table('openingCredits', {
  notFound: 'OPENING_BALANCE_EXISTS',
  sql: 'opening_credits',
  columns: ['id', 'amount', 'createdAt'],
  lookups: {},
});
