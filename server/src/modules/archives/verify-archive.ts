// Verifies an archive from its files alone: every hash of a file, the audit chain from the hash before its first entry to the hash after
// its last one, the numbers and balances of each account's postings, and the sums. The books are not needed, and nothing is changed. The
// memory that it needs does not grow with the archive.

import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { ArchivedTable } from '../../commit/archived-rows.ts';
import { auditHash } from '../../commit/audit-hash.ts';
import { createEnds, type EndsSum, newKey, type Place } from './account-ends.ts';
import { kindOf, type Manifest } from './manifest.ts';
import { BrokenArchive, eachLine, parseRow } from './slices.ts';

export type ArchivedPosting = {
  readonly account_id: string;
  readonly seq: bigint;
  readonly amount: bigint;
  readonly balance_after: bigint;
  readonly audit_seq: bigint;
  readonly posted_at: string;
};

type EntryRow = { readonly [column: string]: string | null } & { readonly seq: bigint };

const BEGINNING: Place = { seq: 0n, balance: 0n };

/** Passes each row of a table to `take`, in the order of the files, with the name of its file. */
export const eachRow = async <Row>(
  { folder, manifest, table }: { folder: string; manifest: Manifest; table: ArchivedTable },
  take: (row: Row, file: string) => void,
): Promise<void> => {
  for (const slice of manifest.files.filter((file) => file.table === table)) {
    await eachLine({ folder, slice }, (line) => take(parseRow<Row>(line), slice.name));
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
  await eachRow<EntryRow>({ folder, manifest, table: 'audit_entries' }, (row, file) => {
    if (row.seq !== seq + 1n || hashOf(hash, row) !== row.hash) {
      throw new BrokenArchive(`${manifest.id}: the audit chain is broken at entry ${seq + 1n}.`, { file });
    }
    seq = row.seq;
    hash = row.hash!;
  });
  if (seq !== BigInt(last) || hash !== hashAfter) {
    throw new BrokenArchive(`${manifest.id}: the audit chain ends at entry ${seq} and not at ${last} with its hash.`);
  }
};

const comesAfter = (accountId: string, before: string): boolean =>
  Buffer.compare(Buffer.from(accountId), Buffer.from(before)) > 0;

/**
 * Sums by kind and currency, and checks that each account's postings follow each other. The files are sorted by account, so only the last
 * account is remembered.
 */
export const createPostingCheck = (manifest: Pick<Manifest, 'id' | 'audit' | 'previous'>, key: string = newKey()) => {
  const first = BigInt(manifest.audit.first);
  const last = BigInt(manifest.audit.last);
  const ends = createEnds(key);
  const sums = new Map<string, { kind: string; currency: string; sum: bigint }>();
  let known: { readonly accountId: string; place: Place } | null = null;

  const finish = (): void => {
    if (known) ends.end(known.accountId, known.place);
  };

  /** The place before the first posting of an account in this archive; undefined when the files are not sorted. */
  const begin = ({ account_id, seq, amount, balance_after }: ArchivedPosting): Place | undefined => {
    if (known && !comesAfter(account_id, known.accountId)) return undefined;
    finish();
    const place = { seq: seq - 1n, balance: balance_after - amount };
    ends.begin(account_id, place);
    // Without an archive before this one, every account begins here.
    return manifest.previous === null ? BEGINNING : place;
  };

  const add = ({ account_id, amount }: ArchivedPosting): void => {
    const of = kindOf(account_id);
    const name = `${of.kind} ${of.currency}`;
    sums.set(name, { ...of, sum: (sums.get(name)?.sum ?? 0n) + amount });
  };

  return {
    take(row: ArchivedPosting, file?: string): void {
      const before = known?.accountId === row.account_id ? known.place : begin(row);
      const isNext = before?.seq === row.seq - 1n && before.balance + row.amount === row.balance_after;
      if (!isNext || row.audit_seq < first || row.audit_seq > last) {
        throw new BrokenArchive(
          `${manifest.id}: posting ${row.seq} of ${row.account_id} does not follow the one before it.`,
          { file: file ?? null },
        );
      }
      known = { accountId: row.account_id, place: { seq: row.seq, balance: row.balance_after } };
      add(row);
    },
    /** In the order of the manifest. */
    sums(): Manifest['sums'] {
      return [...sums.entries()]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { sum, ...of }]) => ({ ...of, sum: String(sum) }));
    },
    /** After the last posting: the ends of the accounts without their beginnings. */
    ends(): EndsSum {
      finish();
      known = null;
      return ends.sum();
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

/** Throws a BrokenArchive that names what is wrong. Returns what the archive adds to the ends of the accounts, with this key. */
export const verifyArchive = async (files: Files & { key?: string }): Promise<EndsSum> => {
  const { folder, manifest } = files;
  await verifyChain(files);
  const check = createPostingCheck(manifest, files.key);
  await eachRow<ArchivedPosting>({ folder, manifest, table: 'postings' }, check.take);
  verifySums(manifest, check.sums());
  for (const slice of manifest.files.filter(({ table }) => table !== 'postings' && table !== 'audit_entries')) {
    await eachLine({ folder, slice }, () => {});
  }
  const counted = manifest.files.reduce((sum, { rows }) => sum + rows, 0);
  const listed = Object.values(manifest.rows).reduce((sum, rows) => sum + rows, 0);
  if (counted !== listed) throw new BrokenArchive(`${manifest.id}: the files have ${counted} rows, not ${listed}.`);
  return check.ends();
};
