// Proves the books and the audit chain of every marketplace and stores the result, so that health and metrics can show it without waiting.
// When everything holds, the job makes the next checkpoint, and the next proof begins there.

import type pg from 'pg';
import { addCheckpoint } from '../../books/checkpoints.ts';
import { formatSums } from '../../books/posting-sums.ts';
import { type Proved, proveMarketplace } from '../../books/proof.ts';
import type { Proof, ProofCheck } from '../../books/proof-checks.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { type ChainReport, verifyBetween } from './verify-chain.ts';

/** These are read completely each time, or are about what is before the checkpoint. They keep no checkpoint from being made. */
const WITHOUT_CHECKPOINT = ['no-open-breaks', 'float-promises-equal-open-withdrawals', 'last-full-proof-held'];

const chainCheck = ({ holds, entries, brokenAt }: ChainReport): ProofCheck => ({
  name: 'audit-chain-holds',
  holds,
  detail: holds
    ? `${entries} entries of the audit chain were read.`
    : `The audit chain is broken at entry ${brokenAt}.`,
});

const isNews = ({ last, books, from }: Proved): boolean =>
  books.end.seq > 0n && (books.end.seq !== last?.auditSeq || (from === null && !last.isFull));

type Asked = {
  readonly marketplaceId: string;
  readonly full: boolean;
  /** Checks of what follows from the books or is not in the database. They keep no checkpoint from being made. */
  readonly further?: readonly (() => Promise<ProofCheck>)[];
};

/** `full`: from the first posting and the first entry. Otherwise from the last checkpoint, if there is one that is intact. */
export const proveAndMark = async (pool: pg.Pool, asked: Asked): Promise<Proof> => {
  const { marketplaceId } = asked;
  const proved = await proveMarketplace(pool, asked);
  const { proof, books, from } = proved;
  const after = from === null ? { seq: 0n, hash: '' } : { seq: from.auditSeq, hash: from.auditHash };
  const chain = chainCheck(await verifyBetween(pool, { marketplaceId, after, end: books.end }));
  const checks = [...proof.checks, chain];
  const mayMark = checks.every(({ name, holds }) => holds || WITHOUT_CHECKPOINT.includes(name));
  if (mayMark && isNews(proved)) {
    await addCheckpoint(pool, {
      marketplaceId,
      isFull: from === null,
      auditSeq: books.end.seq,
      auditHash: books.end.hash,
      postings: books.postings,
      accounts: books.accounts,
      sums: formatSums(books.sums),
      madeAt: proof.checkedAt,
    });
  }
  const all = [...checks];
  for (const check of asked.further ?? []) all.push(await check());
  return { ...proof, checks: all, holds: all.every(({ holds }) => holds) };
};

type Options = {
  marketplaces(): Promise<string[]>;
  prove(marketplaceId: string): Promise<Proof>;
  keep(marketplaceId: string, proof: Proof): Promise<void>;
  onBreak(marketplaceId: string, proof: Proof): void;
};

const proveEach = async (options: Options): Promise<void> => {
  for (const marketplaceId of await options.marketplaces()) {
    const proof = await options.prove(marketplaceId);
    await options.keep(marketplaceId, proof);
    if (!proof.holds) options.onBreak(marketplaceId, proof);
  }
};

export const checkProof = (options: Options): Job => ({
  ...scheduled('check-proof'),
  atStart: true,
  run: () => proveEach(options),
});

/** Once a day, at an hour of UTC: reads everything, so it finds what was altered before the checkpoints. */
export const proveFully = ({ hour, ...options }: Options & { readonly hour: number }): Job => ({
  ...scheduled('prove-fully'),
  schedule: `7 ${hour} * * *`,
  run: () => proveEach(options),
});
