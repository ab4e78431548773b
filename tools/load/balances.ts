// The journal of a run: what every balance should be by what was acknowledged, and the reference of every credit. Plain sums
// of whole units; nothing of the service's own arithmetic is used.

import type pg from 'pg';
import { unitsOf } from '../simulation/scenarios/scenarios.ts';

const ACCOUNTS = `select split_part(id, ':', 1) as "userId", split_part(id, ':', 2) as part, balance::text as units
  from accounts where marketplace_id = 'mkt_default' and (id like 'usr%:available:USD' or id like 'usr%:reserved:USD')`;
const CREDITS = `select reference, count(*)::int as n from postings
  where marketplace_id = 'mkt_default' and move = 'credit' and account_id like 'usr%' group by 1`;

export type Settled = {
  readonly users: number;
  readonly credits: number;
  readonly lost: number;
  readonly twice: number;
  /** Credits in the books that were not acknowledged. */
  readonly unknown: number;
  /** Balances that are not what was acknowledged. */
  readonly differing: readonly string[];
};

export const openUserBalances = () => {
  const available = new Map<string, bigint>();
  const credits = new Set<string>();

  const change = (userId: string, units: bigint): void => {
    available.set(userId, (available.get(userId) ?? 0n) + units);
  };

  const differences = async (pool: pg.Pool): Promise<string[]> => {
    const { rows } = await pool.query<{ userId: string; part: string; units: string }>(ACCOUNTS);
    const there = new Map(rows.map(({ userId, part, units }) => [`${userId}:${part}`, BigInt(units)]));
    const names = new Set([...available.keys(), ...rows.map(({ userId }) => userId)]);
    return [...names].flatMap((userId) => {
      const has = there.get(`${userId}:available`) ?? 0n;
      const holds = there.get(`${userId}:reserved`) ?? 0n;
      const should = available.get(userId) ?? 0n;
      if (has === should && holds === 0n) return [];
      return [`${userId} has ${has} and ${holds} reserved, and should have ${should} and nothing reserved`];
    });
  };

  return {
    change: (userId: string, cents: number): void => change(userId, unitsOf(cents)),
    credited(userId: string, { reference, cents }: { reference: string; cents: number }): void {
      credits.add(reference);
      change(userId, unitsOf(cents));
    },
    differences,
    async settle(pool: pg.Pool): Promise<Settled> {
      const { rows } = await pool.query<{ reference: string; n: number }>(CREDITS);
      const counts = new Map(rows.map(({ reference, n }) => [reference, n]));
      return {
        users: available.size,
        credits: credits.size,
        lost: [...credits].filter((reference) => !counts.has(reference)).length,
        twice: rows.filter(({ n }) => n > 1).length,
        unknown: rows.filter(({ reference }) => !credits.has(reference)).length,
        differing: await differences(pool),
      };
    },
  };
};
