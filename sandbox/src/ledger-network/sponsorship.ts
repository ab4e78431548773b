// Sponsored reserves: between the begin and the end of a sponsorship, another account locks the reserve of what the sponsored account
// creates. The relation lasts within one transaction; the lock lasts as long as the account or the trustline.

import type { xdr } from '@stellar/stellar-sdk';
import { type Draft, reserveOf } from './draft.ts';
import { readAccount } from './envelope.ts';
import { OperationFailure } from './failures.ts';
import type { Account } from './store.ts';

export function beginSponsoring(draft: Draft, { source, sponsored }: { source: string; sponsored: string }): void {
  const { sponsors } = draft;
  if (source === sponsored) throw new OperationFailure('op_malformed');
  if (sponsors.has(sponsored)) throw new OperationFailure('op_already_sponsored');
  const isSponsor = [...sponsors.values()].includes(sponsored);
  if (sponsors.has(source) || isSponsor) throw new OperationFailure('op_recursive');
  sponsors.set(sponsored, source);
}

export function endSponsoring(draft: Draft, source: string): void {
  if (!draft.sponsors.delete(source)) throw new OperationFailure('op_not_sponsored');
}

// Locks the reserve of what the account has just created, at its sponsor where there is one. Returns the sponsor.
export function lockReserves(
  draft: Draft,
  { account, count }: { account: Account; count: number },
): string | undefined {
  const sponsor = draft.sponsors.get(account.address);
  if (sponsor === undefined) {
    if (account.native < reserveOf(account)) throw new OperationFailure('op_low_reserve');
    return undefined;
  }
  const payer = draft.account(sponsor)!;
  payer.sponsoring = (payer.sponsoring ?? 0) + count;
  if (payer.native < reserveOf(payer)) throw new OperationFailure('op_low_reserve');
  return sponsor;
}

// Unlocks the reserve of what is removed.
export function unlockReserves(draft: Draft, { sponsor, count }: { sponsor: string | undefined; count: number }): void {
  const payer = sponsor === undefined ? undefined : draft.account(sponsor);
  if (payer !== undefined) payer.sponsoring = (payer.sponsoring ?? 0) - count;
}

// The account that began the sponsorship which this operation ends.
export function beginnerOf(earlier: { operation: xdr.Operation; source: string }[], sponsored: string): string {
  const begin = earlier.findLast(
    ({ operation: { body } }) =>
      body.type === 'beginSponsoringFutureReserves' &&
      readAccount(body.beginSponsoringFutureReservesOp.sponsoredId) === sponsored,
  );
  return begin?.source ?? '';
}
