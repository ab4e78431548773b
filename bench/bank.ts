// The committer as `compose.ts` wires it, with users to credit: what the measurements drive. A credit
// is two accounts, two postings, an event and an audit entry, answered when it is durable.

import type pg from 'pg';
import { systemClock } from '../server/src/base/instant.ts';
import { parseAmount } from '../server/src/books/money.ts';
import { proveBooks, proveMarketplace } from '../server/src/books/proof.ts';
import { createCommitter } from '../server/src/commit/committer.ts';
import { migrate } from '../server/src/commit/migrate.ts';
import { createWriteFunctions } from '../server/src/commit/write-functions.ts';
import { readConfig } from '../server/src/config/config.ts';
import { proveAndMark } from '../server/src/modules/audit/jobs.ts';
import { createAuditReads } from '../server/src/modules/audit/queries.ts';
import { creditBalance } from '../server/src/modules/balances/adjust-balance.ts';
import { createOrder } from '../server/src/modules/orders/create-order.ts';
import { createOrderReads } from '../server/src/modules/orders/queries.ts';
import { createUser } from '../server/src/modules/users/create-user.ts';
import { createMetrics } from '../server/src/observability/metrics.ts';
import { type Connection, openLane, openPool } from '../server/src/postgres/connection.ts';
import { createNotifier } from '../server/src/postgres/notifier.ts';
import { ORDER_TABLES, TABLES } from '../server/src/registry.ts';
import { percentiles, type Sample } from '../tools/measure/rounds.ts';

export const MARKETPLACE = 'mkt_default';
const contextOf = (marketplaceId: string) =>
  ({ marketplaceId, actor: { type: 'api_key', id: 'key_bench' }, requestId: 'req_bench' }) as const;
const AMOUNT = parseAmount('1.00')!;
const LANES = 4;
const PATIENCE_MS = 10_000;
const USERS_AT_ONCE = 256;
const PAGE = 20;
const ORDER = {
  amount: AMOUNT,
  currency: 'USD',
  title: 'An order of the measurement',
  description: null,
  clientOrderRef: null,
  metadata: {},
  platformFeeBps: 500,
  milestones: [],
  lenientMilestones: false,
} as const;

const USER = { baseCurrency: 'USD', email: null, type: 'BOTH', metadata: {} } as const;

type User = { readonly id: string; readonly marketplaceId: string };

export type Bank = Awaited<ReturnType<typeof openBank>>;

/** Hands out 0 to count - 1, a few at a time, until all are done. */
const eachAtOnce = async (count: number, act: (n: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: USERS_AT_ONCE }, work));
};

/** The lists that the console opens with, one after the other: orders, by status and of a buyer, and the audit trail, whole and of a user. */
const listsOf = (pool: pg.Pool, userAt: (n: number) => string): ((n: number) => Promise<unknown>) => {
  const orders = createOrderReads(pool, ORDER_TABLES);
  const audit = createAuditReads(pool);
  const page = { marketplaceId: MARKETPLACE, limit: PAGE, cursor: null };
  const lists: readonly ((n: number) => Promise<unknown>)[] = [
    () => orders.list(page),
    () => orders.list({ ...page, status: 'ORDER_CREATED' }),
    (n) => orders.list({ ...page, buyerId: userAt(n) }),
    (n) => audit.list({ ...page, userId: userAt(n) }),
    () => audit.list(page),
  ];
  return (n) => lists[n % lists.length]!(n);
};

const readUsers = async (pool: pg.Pool): Promise<User[]> =>
  (await pool.query<User>('select id, marketplace_id as "marketplaceId" from users order by id')).rows;

const createFunctions = async (pool: pg.Pool): Promise<void> => {
  const client = await pool.connect();
  await createWriteFunctions(client, { isDistributed: false }).finally(() => client.release());
};

type BankStart = {
  readonly connection: Connection;
  readonly users: number;
  /** The users are spread over so many marketplaces. */
  readonly marketplaces?: number;
  /** Writes as on a distributed database, by functions. When left out, the database is asked. */
  readonly isDistributed?: boolean;
};

export const openBank = async ({ connection, users: count, marketplaces = 1, isDistributed }: BankStart) => {
  const onTrouble = (message: string, error: unknown): void => console.error(message, error);
  const read = readConfig({});
  if (!read.ok) throw new Error(read.problems.join(' '));
  const metrics = createMetrics();
  const groups = { number: 0, commands: 0 };
  const pool = openPool(connection, { max: 2, onError: (error) => onTrouble('a connection ended', error) });
  await migrate({ pool });
  if (isDistributed) await createFunctions(pool);
  const notifier = createNotifier({ connection, onTrouble });
  const committer = createCommitter({
    tables: TABLES,
    connect: () => openLane(connection),
    clock: systemClock,
    lanes: LANES,
    ...(isDistributed === undefined ? {} : { isDistributed }),
    ...read.config.committer,
    patienceMs: PATIENCE_MS,
    watch: {
      ...metrics.committer,
      committed(group) {
        metrics.committer.committed(group);
        groups.number += 1;
        groups.commands += group.size;
      },
    },
    onEvents: (marketplaceIds) => notifier.notify('holdfast_events', marketplaceIds),
    onTrouble,
  });

  const users = await readUsers(pool);
  await eachAtOnce(count - users.length, async (n) => {
    const marketplaceId = n % marketplaces === 0 ? MARKETPLACE : `mkt_bench_${n % marketplaces}`;
    const input = { ...USER, externalUserId: `user-${n}` };
    const outcome = await committer.submit({ command: createUser, input, context: contextOf(marketplaceId) });
    if (outcome.kind === 'reply') users.push({ id: outcome.reply.user.id, marketplaceId });
  });

  const credit = (n: number): Promise<unknown> => {
    const { id, marketplaceId } = users[n % users.length]!;
    const input = { userId: id, currency: 'USD', amount: AMOUNT } as const;
    return committer.submit({ command: creditBalance, input, context: contextOf(marketplaceId) });
  };

  const userAt = (n: number): string => users[n % users.length]!.id;
  const order = (n: number): Promise<unknown> =>
    committer.submit({
      command: createOrder,
      input: { ...ORDER, buyerId: userAt(n), sellerId: userAt(n + 1) },
      context: contextOf(MARKETPLACE),
    });

  const list = listsOf(pool, userAt);

  return {
    groups,
    credit,
    order,
    list,
    /** So many credits, and no more. */
    creditTimes: (count: number) => eachAtOnce(count, credit),
    /** The full proof and the check of the whole chain, and a checkpoint of both. */
    proveAndMark: () => proveAndMark(pool, { marketplaceId: MARKETPLACE, full: true }),
    proveSinceMark: async () => (await proveMarketplace(pool, { marketplaceId: MARKETPLACE, full: false })).proof,
    /** Everybody once, so that every account exists and is remembered. */
    warmUp: () => eachAtOnce(users.length, credit),
    prove: () => proveBooks(pool, MARKETPLACE),
    verifyAudit: () => createAuditReads(pool).verifyChain(MARKETPLACE),
    async close(): Promise<void> {
      await committer.close();
      await notifier.close();
      await pool.end();
    },
  };
};

type Load = {
  readonly inFlight: number;
  readonly seconds: number;
  readonly hot?: boolean;
  /** Credits, if nothing else is named. */
  readonly act?: (n: number) => Promise<unknown>;
};

/** So many callers, each with one request on its way, for so long. */
export const drive = async (
  bank: Bank,
  { inFlight, seconds, hot = false, act = bank.credit }: Load,
): Promise<Sample> => {
  const times: number[] = [];
  const groupsBefore = { ...bank.groups };
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const end = started + seconds * 1_000;
  let sent = 0;
  const call = async (): Promise<void> => {
    for (let now = performance.now(); now < end; ) {
      await act(hot ? 0 : sent++);
      const then = performance.now();
      times.push(then - now);
      now = then;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, call));
  const elapsed = (performance.now() - started) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  return {
    perSecond: times.length / elapsed,
    ...percentiles(times),
    groupSize: (bank.groups.commands - groupsBefore.commands) / (bank.groups.number - groupsBefore.number),
    cpuMicros: (cpu.user + cpu.system) / times.length,
  };
};

/** A fast but wrong server has not been measured. */
export const assertProof = async (bank: Bank): Promise<void> => {
  const proof = await bank.prove();
  if (!proof.holds) throw new Error(`the books do not add up: ${JSON.stringify(proof.checks)}`);
};
