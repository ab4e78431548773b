// Payments that were not credited, and why. Most of them can never be. Some wait until the books know the transaction that made them.

import { type Answer, yes } from '../../base/answer.ts';
import type { Uncredited } from './arrivals.ts';
import { UNSURE } from './confirm-arrivals.ts';
import { operationOf } from './ledger-cursor.ts';
import { type ExamineOptions, examine, recordAll } from './network-page.ts';

type Place = Pick<Uncredited, 'marketplaceId' | 'id'>;

/** Payments that were not credited, for people: breaks. */
export type SetAside = {
  see(payment: Uncredited): Promise<void>;
  resolve(payment: Place): Promise<void>;
  /** The oldest open ones. */
  list(limit: number): Promise<readonly Place[]>;
  /** The oldest open ones of a marketplace that have one of these reasons. */
  listOf(wanted: { marketplaceId: string; reasons: readonly string[]; limit: number }): Promise<readonly Place[]>;
};

export type RecheckOptions = ExamineOptions & { readonly setAside: Pick<SetAside, 'see' | 'resolve'> };

/** Credits the payment if it can be credited now, and closes it if it turned out to be our own. Returns how many it credited. */
export const recheckPayment = async (
  options: RecheckOptions,
  { marketplaceId, id }: Place,
): Promise<Answer<number>> => {
  const { setAside } = options;
  const operation = operationOf(id);
  const found = await examine(options, { cursor: String(operation - 1n), limit: 1 });
  if (found.kind !== 'yes') return found;
  const { deposits, uncredited, disputed, page } = found.value;
  const still = [...uncredited, ...disputed].find((one) => one.id === id);
  const deposit = deposits.filter(({ payment }) => payment.id === id);
  // The ledger no longer shows the operation: nothing can be said about it.
  if (page.cursor !== String(operation)) return yes(0);
  if (still) {
    await setAside.see(still);
    return yes(0);
  }
  const { recorded, failed } = await recordAll(options, deposit);
  if (failed.length > 0) return UNSURE;
  await setAside.resolve({ marketplaceId, id });
  return yes(recorded);
};
