// One sum over the ends of all accounts: the number of the last posting of each, and the balance after it. Archives that continue each
// other add the ends and take the beginnings off, so that what is left are the ends in the last one. Comparing this sum with the database
// needs no memory for the accounts, however many there are.

import { hash, randomBytes } from 'node:crypto';

/** The last posting of an account that was read: its number, and the balance after it. */
export type Place = { readonly seq: bigint; readonly balance: bigint };

/** A new key for each comparison, so that rows with the same sum cannot be prepared. */
export const newKey = (): string => randomBytes(16).toString('hex');

/** A hash counts as four numbers of 15 hexadecimal digits, which fit the database's bigint. */
const DIGITS = 15;
const PARTS = [0, 1, 2, 3];

export type EndsSum = readonly bigint[];

export const NO_ENDS: EndsSum = PARTS.map(() => 0n);

export const addEnds = (one: EndsSum, other: EndsSum): EndsSum => one.map((part, at) => part + other[at]!);

/** The text of `ENDS_OF_ACCOUNTS`. */
const partsOf = (key: string, { accountId, seq, balance }: Place & { accountId: string }): bigint[] => {
  const digits = hash('sha256', `${key}:${accountId}:${seq}:${balance}`, 'hex');
  return PARTS.map((at) => BigInt(`0x${digits.slice(at * DIGITS, (at + 1) * DIGITS)}`));
};

export const createEnds = (key: string) => {
  let sum = NO_ENDS;
  const change = (accountId: string, { seq, balance, sign }: Place & { sign: 1n | -1n }): void => {
    // An account without postings has no row in the database.
    if (seq > 0n)
      sum = addEnds(
        sum,
        partsOf(key, { accountId, seq, balance }).map((part) => part * sign),
      );
  };
  return {
    begin: (accountId: string, place: Place): void => change(accountId, { ...place, sign: -1n }),
    end: (accountId: string, place: Place): void => change(accountId, { ...place, sign: 1n }),
    sum: (): EndsSum => sum,
  };
};

const part = (at: number): string =>
  `coalesce(sum(('x' || substr(encode(h.hash, 'hex'), ${at * DIGITS + 1}, ${DIGITS}))::bit(${DIGITS * 4})::bigint), 0)::text as "part${at}"`;

/** The same sum over the postings that have left the database. `$1` is the marketplace, `$2` the key. */
export const ENDS_OF_ACCOUNTS = `select ${PARTS.map(part).join(', ')} from archived_accounts t
  cross join lateral (select sha256(convert_to($2::text || ':' || t.account_id || ':' || t.postings || ':' || t.balance, 'UTF8')) as hash) h
  where t.marketplace_id = $1 and t.postings > 0`;

export const parseEnds = (row: Readonly<Record<string, string>>): EndsSum =>
  PARTS.map((at) => BigInt(row[`part${at}`]!));

export const areEqual = (one: EndsSum, other: EndsSum): boolean => one.every((value, at) => value === other[at]);
