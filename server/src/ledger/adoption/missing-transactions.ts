// Reads the transactions of our wallets that the ledger has and our rows lack. A wallet's missing money may come from another wallet
// of ours, so those wallets are read too, and the transactions are returned in the order of the ledger. It only reads.

import { type Answer, unknown, yes } from '../../base/answer.ts';
import type { AccountTransaction } from '../../providers/ports.ts';
import { asUnknown, type Ledger } from '../transactions/ledger.ts';
import type { OpenTransaction } from '../transactions/queries.ts';
import type { AdoptionReads } from './queries.ts';

type Options = { readonly ledger: Pick<Ledger, 'transactionsOf'>; readonly reads: AdoptionReads };

type Page = { readonly missing: readonly AccountTransaction[]; readonly isEnd: boolean };

/** 50,000 transactions of one wallet. A database that lacks more than that is not repaired by reading. */
const PAGES_MAX = 250;

/** An account begins with the number of its ledger and 32 zero bits. */
const NUMBERS_PER_LEDGER = 2n ** 32n;

/** Nothing has used a number before the first one of the account. */
export const isFirstNumber = (sequence: bigint): boolean => sequence % NUMBERS_PER_LEDGER === 0n;

const compareCursors = (a: AccountTransaction, b: AccountTransaction): number => {
  return BigInt(a.cursor) < BigInt(b.cursor) ? -1 : 1;
};

/** The page up to the newest transaction of the wallet that our rows know: everything before it is known too. */
const readPage = async (
  { reads }: Options,
  { marketplaceId, source, page }: OpenTransaction & { readonly page: readonly AccountTransaction[] },
): Promise<Page> => {
  const hashes = page.map(({ hash }) => hash);
  const known = await reads.known(marketplaceId, hashes);
  const ours = await reads.wallets(marketplaceId, [...new Set(page.map((one) => one.source))]);
  const end = page.findIndex((one) => one.source === source && known.get(one.hash) === 'used');
  const newer = end === -1 ? page : page.slice(0, end);
  const missing = newer.filter((one) => {
    const state = known.get(one.hash);
    return ours.has(one.source) && state !== 'used' && state !== 'open';
  });
  return { missing, isEnd: end !== -1 };
};

const missingOf = async (options: Options, place: OpenTransaction): Promise<Answer<AccountTransaction[]>> => {
  const missing: AccountTransaction[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const answer = await options.ledger.transactionsOf({ address: place.source, cursor });
    if (answer.kind !== 'yes') return asUnknown(answer);
    const { transactions, isLast } = answer.value;
    const page = await readPage(options, { ...place, page: transactions });
    missing.push(...page.missing);
    if (page.isEnd || isLast) return yes(missing);
    cursor = transactions.at(-1)!.cursor;
  }
  return unknown('The ledger has too many unknown transactions of this wallet.', { code: 'unclear' });
};

/** Oldest first. */
export const readMissing = async (options: Options, place: OpenTransaction): Promise<Answer<AccountTransaction[]>> => {
  const { marketplaceId } = place;
  const sources = new Set([place.source]);
  const missing = new Map<string, AccountTransaction>();
  // The set grows while it is walked.
  for (const source of sources) {
    const found = await missingOf(options, { marketplaceId, source });
    if (found.kind !== 'yes') return found;
    for (const one of found.value) {
      missing.set(one.hash, one);
      sources.add(one.source);
    }
  }
  return yes([...missing.values()].sort(compareCursors));
};
