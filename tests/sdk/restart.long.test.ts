// A server that stops in good order, seen by the SDK.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Holdfast } from '@holdfast/sdk';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { startApp } from '../support/app.ts';

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

test('a server that stops in good order and starts again: the stream goes on without a gap', async (t) => {
  const first = await startApp(t);
  const apiKey = await first.key(['*']);
  const client = new Holdfast({ url: first.url, apiKey, ...PATIENT });
  const { id } = await client.users.create({ externalUserId: 'ada' });
  const reader = followCredits(t, client);
  await client.balances.credit(id, { amount: '1.00' });
  await reader.took(1);
  await first.close();
  const crediting = client.balances.credit(id, { amount: '2.00' });
  await startApp(t, { connection: first.connection, env: { PORT: new URL(first.url).port } });
  assert.equal((await crediting).available, '3.00');
  await reader.took(2);
  assert.deepEqual(await reader.end(), ['1.00', '2.00']);
});
