// Live escrows are few among the settled ones. The report of open items reads them from an index without the rows of the table, and gives the
// same as a plain join of all escrows with their accounts.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AGE_BUCKETS } from '@holdfast/contract/api/finance-reports.ts';
import type pg from 'pg';
import { createOpenItemReads } from '../../server/src/modules/reports/open-items.ts';
import { openHeavyPool, openPool } from '../../server/src/postgres/connection.ts';
import { exactUnits } from '../../tools/decimals.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { overheard, type Sent } from '../support/tenancy-wire.ts';

const MARKETPLACE = 'mkt_default';
const ORDERS = 2_000;
const LIMITS = [1, 20, 100];
/** What the report is asked for, in days before the newest limit of an age. */
const EARLIER = [0, 3, 40];
const DAY_MS = 86_400_000;
const FROM_DAYS = [0, 1, 7, 30, 90];

/** A number below `below` for each escrow or account: the same in each run, and independent of others with another salt. */
const some = (id: string, salt: number, below: number): string =>
  `((hashint8extended(right(${id}, 16)::bigint, ${salt}) & 65535) % ${below})::integer`;

const chosen = (id: string, salt: number, of: readonly string[]): string =>
  `(array[${of.join()}])[1 + ${some(id, salt, of.length)}]`;

/** At the limits of the ages, a microsecond beside them, and between. Many escrows have the same time. */
const TIME = (salt: number): string =>
  `$1::timestamptz - ${chosen('e.id', salt, ['-1', '0', '1', '3', '7', '30', '50', '90', '100'])} * interval '1 day'
    + ${chosen('e.id', salt + 1, ['-1', '0', '1', '3600000000'])} * interval '1 microsecond'`;

const STATUSES = ['CREATING', 'CREATED', 'FUNDING', 'FUNDED', 'FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'].map(
  (status) => `'${status}'`,
);

/** A fifth of the escrows are changed, so that most are settled as in a marketplace in use. Nothing is paid before a contract exists. */
const MIX = [
  `create temp table mixed as select e.id, e.order_id, ${chosen('e.id', 1, ["'USD'", "'USDC'"])} as currency,
      ${chosen('e.id', 2, STATUSES)} as status, ${some('e.id', 3, 7)} = 0 as set_aside
    from escrows e where ${some('e.id', 4, 5)} = 0`,
  `update escrows e set currency = m.currency, status = m.status, set_aside = m.set_aside, created_at = ${TIME(5)},
      funded_at = case when ${some('e.id', 7, 3)} > 0 then ${TIME(8)} end,
      provider_contract_id = case when m.status <> 'CREATING' or ${some('e.id', 10, 2)} = 0 then e.provider_contract_id end
    from mixed m where e.id = m.id`,
  `update accounts a set id = m.order_id || ':escrow:' || m.currency, currency = m.currency,
      balance = case when m.status = 'CREATING' then 0 else ${some('m.id', 11, 4)}::bigint * 123456789 end
    from mixed m where a.id = m.order_id || ':escrow:USD'`,
  `delete from accounts a using mixed m where a.id = m.order_id || ':escrow:' || m.currency and ${some('m.id', 12, 20)} = 0`,
];

const PLAIN = `select e.order_id as id, coalesce(e.funded_at, e.created_at) as since, e.currency, a.balance as units
  from escrows e join accounts a on a.marketplace_id = e.marketplace_id and a.id = e.order_id || ':escrow:' || e.currency
  where e.marketplace_id = $1 and not e.set_aside and e.provider_contract_id is not null and e.status not in ('RELEASED', 'REFUNDED')
    and a.balance > 0 and coalesce(e.funded_at, e.created_at) <= $2
  order by 2, e.order_id collate "C"`;

type Item = { readonly id: string; readonly since: string; readonly currency: string; readonly units: bigint };

const open = async (t: TestContext) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  await fillMarketplace(connection, { sizes: { users: 200, orders: ORDERS, postings: 1 }, say() {} });
  const heard: Sent[] = [];
  const pool = openHeavyPool(
    overheard(connection, (sent) => heard.push(sent)),
    { max: 1, timeoutMs: 30_000, onError() {} },
  );
  afterwards(t, () => pool.end());
  const writer = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => writer.end());
  return { pool, writer, heard };
};

const sumOf = (items: readonly Item[]): bigint => items.reduce((sum, { units }) => sum + units, 0n);

/** In microseconds, which a Date does not have. */
const microsOf = (time: string): bigint => BigInt(Date.parse(time)) * 1_000n + BigInt(time.slice(23, 26));

const agesOf = (items: readonly Item[], at: string) =>
  AGE_BUCKETS.map((age, place) => {
    const isOf = ({ since }: Item): boolean => {
      const micros = microsOf(at) - microsOf(since);
      return FROM_DAYS.filter((days) => micros >= BigInt(days * DAY_MS) * 1_000n).length === place + 1;
    };
    const own = items.filter(isOf);
    return { age, count: own.length, units: sumOf(own) };
  });

const expected = (items: readonly Item[], { at, limit }: { at: string; limit: number }) => ({
  count: items.length,
  currencies: ['USD', 'USDC'].map((currency) => {
    const own = items.filter((item) => item.currency === currency);
    return { currency, count: own.length, units: sumOf(own), ages: agesOf(own, at) };
  }),
  oldest: items.slice(0, limit),
});

const reported = async (pool: pg.Pool, asked: { at: string; limit: number }) => {
  const { kinds } = await createOpenItemReads(pool).read({ marketplaceId: MARKETPLACE, ...asked });
  const { count, currencies, oldest } = kinds.find(({ kind }) => kind === 'orders_in_escrow')!;
  const units = <Of extends { readonly amount: string | null }>({ amount, ...rest }: Of) => ({
    ...rest,
    units: exactUnits(amount!),
  });
  return {
    count,
    currencies: currencies.map(({ ages, ...sums }) => ({ ...units(sums), ages: ages.map(units) })),
    oldest: oldest.map(units),
  };
};

test('the money in escrow is the same as in a join of all live escrows with their accounts', async (t) => {
  const { pool, writer } = await open(t);
  const newest = new Date(Date.now() - 2 * DAY_MS).toISOString().replace('Z', '000Z');
  for (const [place, text] of MIX.entries()) await writer.query(text, place === 1 ? [newest] : []);
  for (const days of EARLIER) {
    const at = new Date(Date.parse(newest) - days * DAY_MS).toISOString().replace('Z', '000Z');
    const { rows } = await pool.query<Item>(PLAIN, [MARKETPLACE, at]);
    assert.ok(rows.length > LIMITS[1]! && agesOf(rows, at).at(-1)!.count > 0, `${rows.length} items`);
    for (const limit of LIMITS)
      assert.deepEqual(await reported(pool, { at, limit }), expected(rows, { at, limit }), `${days} ${limit}`);
  }
});

test('the live escrows are read from an index alone, and only the oldest accounts are looked up', async (t) => {
  const { pool, heard } = await open(t);
  await reported(pool, { at: new Date().toISOString(), limit: 1 });
  const { text, values } = heard.find((sent) => /from escrows e/.test(sent.text))!;
  const { rows } = await pool.query(`explain (analyze, timing off, costs off) ${text}`, [...values]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /Index Only Scan using escrows_live/, plan);
  assert.doesNotMatch(plan, /Seq Scan|Bitmap/, plan);
  const lookups = plan.split('\n').filter((line) => /accounts_pkey/.test(line));
  assert.equal(lookups.length, 2, plan);
  // An escrow without money may be older than the oldest that has some.
  for (const line of lookups) assert.ok(Number(/loops=(\d+)/.exec(line)![1]) <= 10, plan);
});
