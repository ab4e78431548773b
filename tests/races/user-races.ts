// Concurrent requests for one user's money, through one server or several on the same database. Exactly the requests that the
// balance covers succeed.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openPool } from '../../server/src/postgres/connection.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { clients, shuffled, type Tally, tally } from './answers.ts';

/** Servers of one database, and a key of one marketplace. */
type Servers = {
  readonly apps: readonly TestApp[];
  readonly key: string;
  inspect(): Promise<unknown>;
};

const inspectorOf = (t: Hooks, { connection }: TestApp): ((marketplaceId: string) => Promise<unknown>) => {
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  return (marketplaceId) => inspectBooks(pool, marketplaceId);
};

/** A new marketplace in the shared server of this process. */
export const openOne = async (t: Hooks): Promise<Servers> => {
  const app = await openApp(t);
  const inspect = inspectorOf(t, app);
  return { apps: [app], key: await app.key(['*']), inspect: () => inspect(app.marketplaceId) };
};

export const openTwo = async (t: Hooks): Promise<Servers> => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const apps = [await startApp(t, { connection }), await startApp(t, { connection })];
  const inspect = inspectorOf(t, apps[0]!);
  return { apps, key: await apps[0]!.key(['*']), inspect: () => inspect('mkt_default') };
};

type Body = Readonly<Record<string, unknown>>;

/** Calls the servers in turn. */
const post =
  ({ apps, key }: Servers, n: number) =>
  (path: string, body: Body, headers: Record<string, string> = {}) =>
    apps[n % apps.length]!.call(`POST ${path}`, { key, body, headers });

const newUser = ({ apps, key }: Servers, available?: string): Promise<string> =>
  apps[0]!.aUser({ key, ...(available ? { available } : {}) });

/** The balance that every server shows. */
const balanceOf = async ({ apps, key }: Servers, userId: string): Promise<{ available: string; reserved: string }> => {
  const shown = await Promise.all(
    apps.map(async (app) => {
      const { available, reserved } = (await app.call(`GET /users/${userId}/balance`, { key })).body.data;
      return { available, reserved };
    }),
  );
  for (const one of shown) assert.deepEqual(one, shown[0], 'every server shows the same');
  return shown[0]!;
};

type Many = { readonly asked: number; readonly covered: number };

/** Sends `asked` debits of 1.00 from a balance that covers some of them. */
export const raceDebits = async (servers: Servers, { asked, covered }: Many): Promise<Tally> => {
  const userId = await newUser(servers, `${covered}.00`);
  const answers = await clients(asked, (n) => post(servers, n)(`/users/${userId}/balance/debit`, { amount: '1.00' }));
  assert.deepEqual(await balanceOf(servers, userId), { available: '0.00', reserved: '0.00' });
  const seen = answers.filter(({ status }) => status === 200).map(({ body }) => Number(body.data.available));
  assert.equal(new Set(seen).size, covered, 'each answer shows the balance after its own debit');
  await servers.inspect();
  return tally(answers);
};

/** Sends `asked` credits of 0.01. Returns the balance at the end. */
export const raceCredits = async (servers: Servers, asked: number): Promise<string> => {
  const userId = await newUser(servers);
  const answers = await clients(asked, (n) => post(servers, n)(`/users/${userId}/balance/credit`, { amount: '0.01' }));
  assert.deepEqual(tally(answers), { 200: asked });
  await servers.inspect();
  return (await balanceOf(servers, userId)).available;
};

type Turns = { readonly users: number; readonly asked: number };

/** Sends `asked` credits of 1.00 to the users in turn. Returns the outcomes, and what each user got. */
export const raceWithinLimits = async (servers: Servers, { users, asked }: Turns) => {
  const userIds = await Promise.all(Array.from({ length: users }, () => newUser(servers)));
  const answers = await clients(asked, (n) =>
    post(servers, n)(`/users/${userIds[n % users]}/balance/credit`, { amount: '1.00' }),
  );
  await servers.inspect();
  const balances = await Promise.all(userIds.map((userId) => balanceOf(servers, userId)));
  return { answers: tally(answers), credited: balances.map(({ available }) => Number(available)) };
};

/** Sends `asked` reserves of 1.00 from a balance that covers some of them, and half of one more. */
export const raceReserves = async (servers: Servers, { asked, covered }: Many): Promise<Tally> => {
  const userId = await newUser(servers, `${covered}.50`);
  const answers = await clients(asked, (n) =>
    post(servers, n)(`/users/${userId}/balance/reserve`, { amount: '1.00', orderId: `order-${n}` }),
  );
  assert.deepEqual(await balanceOf(servers, userId), { available: '0.50', reserved: `${covered}.00` });
  await servers.inspect();
  return tally(answers);
};

/** Releases and deductions of 1.00 from two reservations. Returns the refusals. */
export const raceReserved = async (servers: Servers, of: Many & { random: () => number }): Promise<string[]> => {
  const { asked, covered, random } = of;
  const userId = await newUser(servers, `${covered}.00`);
  const balance = `/users/${userId}/balance`;
  await post(servers, 0)(`${balance}/reserve`, { amount: `${covered * 0.6}.00`, orderId: 'one' });
  await post(servers, 0)(`${balance}/reserve`, { amount: `${covered * 0.4}.00` });
  const asks = Array.from({ length: asked }, (_, n) => ({
    verb: n % 2 === 0 ? 'release' : 'deduct-reserved',
    order: n % 3 === 0 ? { orderId: 'one' } : {},
  }));
  const mixed = shuffled(asks, random);
  const answers = await clients(asked, (n) => {
    const { verb, order } = mixed[n]!;
    return post(servers, n)(`${balance}/${verb}`, { amount: '1.00', ...order });
  });
  const done = (verb: string) => answers.filter(({ status }, n) => status === 200 && mixed[n]!.verb === verb).length;
  assert.equal(done('release') + done('deduct-reserved'), covered);
  assert.deepEqual(await balanceOf(servers, userId), { available: `${done('release')}.00`, reserved: '0.00' });
  await servers.inspect();
  return Object.keys(tally(answers)).filter((name) => name !== '200');
};

/**
 * Cancels, releases and deducts one reservation at once, in many rounds. In each round exactly one request gets the money.
 * Returns the number of rounds.
 */
export const raceForOne = async (
  servers: Servers,
  { rounds, random }: { rounds: number; random: () => number },
): Promise<number> => {
  const userId = await newUser(servers, `${rounds * 5}.00`);
  const balance = `/users/${userId}/balance`;
  let deducted = 0;
  for (let round = 0; round < rounds; round++) {
    const orderId = `order-${round}`;
    await post(servers, round)(`${balance}/reserve`, { amount: '5.00', orderId });
    const verbs = shuffled(['cancel-reservation', 'release', 'deduct-reserved', 'cancel-reservation'], random);
    const answers = await Promise.all(
      verbs.map((verb, n) =>
        post(servers, n + round)(`${balance}/${verb}`, {
          orderId,
          ...(verb === 'cancel-reservation' ? {} : { amount: '5.00' }),
        }),
      ),
    );
    assert.equal(tally(answers)[200], 1, JSON.stringify(tally(answers)));
    if (verbs[answers.findIndex(({ status }) => status === 200)] === 'deduct-reserved') deducted++;
  }
  const left = (rounds - deducted) * 5;
  assert.deepEqual(await balanceOf(servers, userId), { available: `${left}.00`, reserved: '0.00' });
  await servers.inspect();
  return rounds;
};

/** Sends one Idempotency-Key to all servers at once, twice to each. Returns the balance at the end. */
export const raceWithOneKey = async (servers: Servers, rounds: number): Promise<string> => {
  const { apps } = servers;
  const userId = await newUser(servers);
  for (let round = 0; round < rounds; round++) {
    const headers = { 'idempotency-key': randomUUID() };
    const ask = (_: TestApp, n: number) =>
      post(servers, n)(`/users/${userId}/balance/credit`, { amount: '1.00' }, headers);
    for (const { status, body } of await Promise.all([...apps, ...apps].map(ask))) {
      assert.ok(status === 200 || body.error.code === 'IDEMPOTENCY_KEY_IN_PROGRESS', JSON.stringify(body));
    }
    for (const answer of await Promise.all(apps.map(ask))) {
      assert.equal(answer.headers.get('idempotency-replay'), 'true');
    }
  }
  await servers.inspect();
  return (await balanceOf(servers, userId)).available;
};

/** Many callers create the same user at once. */
export const raceForUser = async (servers: Servers, asked: number): Promise<Tally> => {
  const externalUserId = randomUUID();
  const answers = await clients(asked, (n) => post(servers, n)('/users', { externalUserId }));
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1);
  const rows = await servers.apps[0]!.sql('select count(*)::int as n from users where external_user_id = $1', [
    externalUserId,
  ]);
  assert.deepEqual(rows, [{ n: 1 }]);
  await servers.inspect();
  return tally(answers);
};
