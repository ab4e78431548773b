// Verifies an archive from its files alone: every hash of a file, the audit chain from the hash before its first entry to the hash after
// its last one, the numbers and balances of each account's postings, and the sums. The books are not needed, and nothing is changed.

import { setImmediate } from 'node:timers/promises';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { ArchivedTable } from '../../commit/archived-rows.ts';
import { auditHash } from '../../commit/audit-hash.ts';
import { kindOf, type Manifest } from './manifest.ts';
import { BrokenArchive, parseRow, readSlice } from './slices.ts';

export type ArchivedPosting = {
  readonly account_id: string;
  readonly seq: bigint;
  readonly amount: bigint;
  readonly balance_after: bigint;
  readonly audit_seq: bigint;
  readonly posted_at: string;
};

type EntryRow = { readonly [column: string]: string | null } & { readonly seq: bigint };

/** The last posting of an account that was read: its number, and the balance after it. */
type Place = { readonly seq: bigint; readonly balance: bigint };

const BEGINNING: Place = { seq: 0n, balance: 0n };

/** Rows that are read without a pause. Without pauses a long verification would delay every request of the process. */
const TURN = 1_000;

/** Passes each row of a table to `take`, in the order of the files. */
export const eachRow = async <Row>(
  { folder, manifest, table }: { folder: string; manifest: Manifest; table: ArchivedTable },
  take: (row: Row) => void,
): Promise<void> => {
  for (const slice of manifest.files.filter((file) => file.table === table)) {
    for (const [place, line] of (await readSlice(folder, slice)).entries()) {
      if (place % TURN === 0) await setImmediate();
      take(parseRow<Row>(line));
    }
  }
};

/** PostgreSQL prints times with an offset and without trailing zeros; the chain was hashed over times with six places. */
const instantOf = (text: string): string => formatInstant(parseInstant(text) ?? 0);

const hashOf = (previous: string, row: EntryRow): string =>
  auditHash(previous, {
    seq: row.seq,
    occurredAt: instantOf(row.occurred_at!),
    action: row.action!,
    resourceType: row.resource_type!,
    resourceId: row.resource_id!,
    userId: row.user_id ?? null,
    payloadBefore: row.payload_before ?? null,
    payloadAfter: row.payload_after ?? null,
    actorType: row.actor_type!,
    actorId: row.actor_id!,
    result: row.result!,
    correlationId: row.correlation_id!,
  });

type Files = { readonly folder: string; readonly manifest: Manifest };

const verifyChain = async ({ folder, manifest }: Files): Promise<void> => {
  const { first, last, hashBefore, hashAfter } = manifest.audit;
  let seq = BigInt(first) - 1n;
  let hash = hashBefore;
  await eachRow<EntryRow>({ folder, manifest, table: 'audit_entries' }, (row) => {
    if (row.seq !== seq + 1n || hashOf(hash, row) !== row.hash) {
      throw new BrokenArchive(`${manifest.id}: the audit chain is broken at entry ${seq + 1n}.`);
    }
    seq = row.seq;
    hash = row.hash!;
  });
  if (seq !== BigInt(last) || hash !== hashAfter) {
    throw new BrokenArchive(`${manifest.id}: the audit chain ends at entry ${seq} and not at ${last} with its hash.`);
  }
};

/** Sums by kind and currency, and checks that each account's postings follow each other. */
export const createPostingCheck = (
  manifest: Pick<Manifest, 'id' | 'audit' | 'previous'>,
  known: Map<string, Place> | null = null,
) => {
  const places = known ?? new Map<string, Place>();
  // Without the archives before this one, the place of an account is not known before its first posting here.
  const start = known !== null || manifest.previous === null ? BEGINNING : undefined;
  const sums = new Map<string, { kind: string; currency: string; sum: bigint }>();
  return {
    take(row: ArchivedPosting): void {
      const before = places.get(row.account_id) ?? start;
      const isNext =
        before === undefined || (before.seq + 1n === row.seq && before.balance + row.amount === row.balance_after);
      const isInside = row.audit_seq >= BigInt(manifest.audit.first) && row.audit_seq <= BigInt(manifest.audit.last);
      if (!isNext || !isInside) {
        throw new BrokenArchive(
          `${manifest.id}: posting ${row.seq} of ${row.account_id} does not follow the one before it.`,
        );
      }
      places.set(row.account_id, { seq: row.seq, balance: row.balance_after });
      const of = kindOf(row.account_id);
      const key = `${of.kind} ${of.currency}`;
      sums.set(key, { ...of, sum: (sums.get(key)?.sum ?? 0n) + row.amount });
    },
    /** In the order of the manifest. */
    sums(): Manifest['sums'] {
      return [...sums.entries()]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { sum, ...of }]) => ({ ...of, sum: String(sum) }));
    },
  };
};

const verifySums = (manifest: Manifest, sums: Manifest['sums']): void => {
  if (JSON.stringify(sums) !== JSON.stringify(manifest.sums)) {
    throw new BrokenArchive(`${manifest.id}: the postings add up to other sums than the manifest says.`);
  }
  for (const currency of new Set(sums.map((of) => of.currency))) {
    const total = sums.filter((of) => of.currency === currency).reduce((sum, of) => sum + BigInt(of.sum), 0n);
    if (total !== 0n)
      throw new BrokenArchive(`${manifest.id}: the postings in ${currency} sum to ${total}, not to zero.`);
  }
};

/**
 * Throws a BrokenArchive that names what is wrong. `places` are the ends of the accounts in the archives before this one; they are
 * moved to the ends in this one.
 */
export const verifyArchive = async (files: Files & { places?: Map<string, Place> }): Promise<void> => {
  const { folder, manifest } = files;
  await verifyChain(files);
  const check = createPostingCheck(manifest, files.places ?? null);
  await eachRow<ArchivedPosting>({ folder, manifest, table: 'postings' }, check.take);
  verifySums(manifest, check.sums());
  for (const slice of manifest.files.filter(({ table }) => table !== 'postings' && table !== 'audit_entries')) {
    await readSlice(folder, slice);
  }
  const counted = manifest.files.reduce((sum, { rows }) => sum + rows, 0);
  const listed = Object.values(manifest.rows).reduce((sum, rows) => sum + rows, 0);
  if (counted !== listed) throw new BrokenArchive(`${manifest.id}: the files have ${counted} rows, not ${listed}.`);
};
