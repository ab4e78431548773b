// What the commands of a preview would change: postings, balances before and after, and events.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Account, available, reserved } from '../../books/accounts.ts';
import { type Amount, fromUnits, minus, sumOf } from '../../books/money.ts';
import type { Batch, PostingRow } from '../batch.ts';
import { type LaneSession, load } from '../load.ts';
import type { CachedAccount, RowCache } from '../row-cache.ts';

type PreviewPosting = {
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly move: string;
};

type Figures = { readonly available: Amount; readonly reserved: Amount };

type PreviewBalance = {
  readonly userId: string;
  readonly currency: Currency;
  readonly before: Figures;
  readonly after: Figures;
};

type PreviewEvent = { readonly type: string; readonly aggregateId: string; readonly payload: unknown };

export type StateChanges = {
  readonly postings: readonly PreviewPosting[];
  readonly balances: readonly PreviewBalance[];
  readonly events: readonly PreviewEvent[];
};

type Snapshot = LaneSession & { readonly batch: Batch };

/** The currency is a field of its own. */
const shownAccount = (id: string, currency: string): string => id.slice(0, -`:${currency}`.length);

/** The id of an account ends with its currency. */
const currencyOf = (accountId: string): Currency => accountId.slice(accountId.lastIndexOf(':') + 1) as Currency;

/** A posting is two rows of the batch, and the row of the source is the negative one. */
const postingsOf = ({ postings }: Batch): PreviewPosting[] =>
  postings
    .filter(({ amount }) => amount < 0n)
    .map(({ accountId, counterAccountId, amount, move }: PostingRow) => {
      const currency = currencyOf(accountId);
      return {
        from: shownAccount(accountId, currency),
        to: shownAccount(counterAccountId, currency),
        amount: fromUnits(-amount),
        currency,
        move,
      };
    });

const eventsOf = ({ events }: Batch): PreviewEvent[] =>
  events.map(({ eventType: type, aggregateId, envelope }) => ({
    type,
    aggregateId,
    payload: (JSON.parse(envelope) as { payload: unknown }).payload,
  }));

type Sides = { readonly available: CachedAccount; readonly reserved: CachedAccount };

const changeOf = (batch: Batch, { account: { id }, marketplaceId }: CachedAccount): Amount =>
  sumOf(
    batch.postings
      .filter((posting) => posting.accountId === id && posting.marketplaceId === marketplaceId)
      .map(({ amount }) => fromUnits(amount)),
  );

const figuresOf = ({ available: free, reserved: held }: Sides, of: (cached: CachedAccount) => Amount): Figures => ({
  available: of(free),
  reserved: of(held),
});

/** Both accounts of each user whose money moved; loads the one that no command needed. */
const balancesOf = async (snapshot: Snapshot, cache: RowCache): Promise<PreviewBalance[]> => {
  const { batch } = snapshot;
  const touched = new Map<string, { userId: string; accounts: readonly [Account, Account] }>();
  for (const { accountId, marketplaceId } of batch.postings) {
    if (marketplaceId !== cache.marketplaceId) continue;
    const { userId, currency } = cache.accounts.get(accountId)!.account;
    if (userId === null) continue;
    touched.set(`${userId}:${currency}`, {
      userId,
      accounts: [available(userId, currency), reserved(userId, currency)],
    });
  }
  const accounts = [...touched.values()].flatMap((each) => each.accounts);
  await load(snapshot, [{ marketplaceId: cache.marketplaceId, needs: { accounts } }]);
  return [...touched.values()].map(({ userId, accounts: [free, held] }) => {
    const sides = { available: cache.accounts.get(free.id)!, reserved: cache.accounts.get(held.id)! };
    return {
      userId,
      currency: free.currency,
      before: figuresOf(sides, (cached) => minus(cached.balance, changeOf(batch, cached))),
      after: figuresOf(sides, ({ balance }) => balance),
    };
  });
};

export const changesOf = async (snapshot: Snapshot): Promise<StateChanges> => {
  const balances: PreviewBalance[] = [];
  for (const cache of snapshot.state.caches.values()) balances.push(...(await balancesOf(snapshot, cache)));
  return { postings: postingsOf(snapshot.batch), balances, events: eventsOf(snapshot.batch) };
};
