// The server goes away and comes back, in good order and by kill -9: a POST that is being repeated has one effect, and a
// stream loses nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Holdfast } from '@holdfast/sdk';
import { urlOf } from '../../tools/cluster/database.ts';
import { newKey, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import type { startApp } from '../support/app.ts';
import { openLine, passedOf } from './line.ts';

/** Enough for a server that takes its time to start. */
const PATIENT = { maxRetries: 200 };

/** Amounts of all credits, as the stream tells them. */
const followCredits = (t: Parameters<typeof startApp>[0], client: Holdfast) => {
  const amounts: string[] = [];
  const enough = new AbortController();
  afterwards(t, () => enough.abort());
  const done = (async () => {
    const query = { since: new Date(0), types: ['balance.credited'], signal: enough.signal } as const;
    for await (const event of client.events(query)) amounts.push(event.payload.amount);
  })();
  return {
    took: (count: number) => until(() => amounts.length >= count, `${count} credits were seen`),
    async end() {
      enough.abort();
      await done;
      return amounts;
    },
  };
};

test('kill -9 after a credit was booked and before its answer: the repeat finds it, and the stream shows it once', async (t) => {
  const dataDir = await temporaryFolder(t);
  const database = await createDatabase();
  afterwards(t, database.drop);
  const address = { DATABASE_URL: urlOf(database.connection) };
  let server = await startServer(t, { dataDir, env: address });
  const env = { ...address, PORT: new URL(server.url).port };
  const apiKey = await newKey(server.url);
  const line = await openLine(t, server.url);
  const client = new Holdfast({ url: server.url, apiKey, ...PATIENT });
  const shaky = new Holdfast({ url: line.url, apiKey, ...PATIENT });
  const { id } = await client.users.create({ externalUserId: 'ada' });
  const reader = followCredits(t, client);
  await client.balances.credit(id, { amount: '1.00' });
  await reader.took(1);

  line.play('/balance/credit', 'lose-answer');
  const restarted = Promise.withResolvers<void>();
  line.onTrick = async () => {
    await server.kill('SIGKILL');
    void startServer(t, { dataDir, env }).then((next) => {
      server = next;
      restarted.resolve();
    }, restarted.reject);
  };
  const { available } = await shaky.balances.credit(id, { amount: '2.00' });
  await restarted.promise;
  assert.equal(available, '3.00');
  const keys = passedOf(line, '/credit').map(({ headers }) => headers['idempotency-key']);
  assert.ok(keys.length >= 2);
  assert.equal(new Set(keys).size, 1);
  await client.balances.credit(id, { amount: '4.00' });
  await reader.took(3);
  assert.deepEqual(await reader.end(), ['1.00', '2.00', '4.00']);
  assert.equal((await client.balances.get(id)).available, '7.00');
});
