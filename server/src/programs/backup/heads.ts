// The head of every marketplace at one moment: the last event, the end of the audit chain, and the sums of all accounts. It is small enough
// for the manifest of a backup, and identifies the books.

import type pg from 'pg';

export type Head = {
  readonly marketplaceId: string;
  readonly eventPosition: string;
  readonly auditSeq: string;
  readonly auditHash: string;
  /** In units of 10^-7, as text: JSON has no integers of this size. */
  readonly sums: readonly { readonly side: string; readonly currency: string; readonly sum: string }[];
};

const HEADS = `select marketplace_id as "marketplaceId", event_position::text as "eventPosition",
    audit_seq::text as "auditSeq", audit_hash as "auditHash"
  from marketplaces order by marketplace_id`;

const SUMS = `select marketplace_id as "marketplaceId", side, currency, sum(balance)::text as sum
  from accounts group by 1, 2, 3 order by 1, 2, 3`;

/** The same sums from the postings, at the time of an audit entry. Archived postings are always older than it. */
const SUMS_AT = `select a.side, a.currency, sum(p.amount)::text as sum from (
    select marketplace_id, account_id, amount from postings where marketplace_id = $1 and audit_seq <= $2
    union all select marketplace_id, account_id, balance from archived_accounts where marketplace_id = $1
  ) p join accounts a on a.marketplace_id = p.marketplace_id and a.id = p.account_id group by 1, 2 order by 1, 2`;

type Sum = Head['sums'][number];

export const readHeads = async (client: pg.ClientBase): Promise<Head[]> => {
  await client.query('begin isolation level repeatable read read only');
  const heads = await client.query<Omit<Head, 'sums'>>(HEADS);
  const sums = await client.query<Sum & { marketplaceId: string }>(SUMS);
  await client.query('commit');
  return heads.rows.map((head) => ({
    ...head,
    sums: sums.rows
      .filter(({ marketplaceId }) => marketplaceId === head.marketplaceId)
      .map(({ side, currency, sum }) => ({ side, currency, sum })),
  }));
};

const isZero = ({ sum }: Sum): boolean => sum === '0';

const shown = (sums: readonly Sum[]): string =>
  sums
    .filter((each) => !isZero(each))
    .map(({ side, currency, sum }) => `${side} ${currency} ${sum}`)
    .join(', ');

type Comparison = { readonly holds: boolean; readonly detail: string };

/** Compares this database with the head of a backup, and counts the later events. */
export const compareHead = async (client: pg.ClientBase, head: Head): Promise<Comparison> => {
  const { marketplaceId, eventPosition, auditSeq, auditHash } = head;
  const now = (await readHeads(client)).find((each) => each.marketplaceId === marketplaceId);
  if (now === undefined) return { holds: false, detail: `${marketplaceId} is missing` };
  const entry = await client.query<{ hash: string }>(
    'select hash from audit_entries where marketplace_id = $1 and seq = $2',
    [marketplaceId, auditSeq],
  );
  const then = await client.query<Sum>(SUMS_AT, [marketplaceId, auditSeq]);
  const laterEvents = BigInt(now.eventPosition) - BigInt(eventPosition);
  const differences = [
    laterEvents < 0n ? `events end at ${now.eventPosition} and not at ${eventPosition}` : '',
    auditSeq !== '0' && entry.rows[0]?.hash !== auditHash ? `audit entry ${auditSeq} has another hash` : '',
    shown(then.rows) === shown(head.sums) ? '' : `balances were ${shown(then.rows)} and not ${shown(head.sums)}`,
  ].filter((each) => each !== '');
  return differences.length > 0
    ? { holds: false, detail: `${marketplaceId}: ${differences.join('; ')}` }
    : {
        holds: true,
        detail: `${marketplaceId}: ${eventPosition} events, ${auditSeq} audit entries, ${laterEvents} later events`,
      };
};
