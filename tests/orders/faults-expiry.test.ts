// An envelope that never reaches the ledger before it expires. Only after the expiry is it certain that it failed, and only then
// does the server build another one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf } from '../support/app.ts';
import type { Parties } from '../support/builder.ts';
import { type OrderFixture, openOrders } from '../support/order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

/** The provider's envelopes expire after five minutes, and reads of the ledger may lag behind. */
const BEYOND_S = 300 + 60;
const MANY = 1_000;

type Course = {
  readonly call: string;
  readonly path: string;
  readonly end: string;
  begin(fixture: OrderFixture, who: Parties): Promise<Any>;
};

const COURSES: readonly Course[] = [
  {
    call: 'deploy',
    path: 'escrow',
    end: 'ESCROW_FUNDING',
    begin: ({ anOrder }, who) => anOrder({ at: 'FUNDS_RESERVED', between: who }),
  },
  {
    call: 'fund',
    path: 'escrow/fund',
    end: 'IN_PROGRESS',
    begin: ({ anOrder }, who) => anOrder({ at: 'ESCROW_FUNDING', between: who }),
  },
  {
    call: 'change-status',
    path: 'resolution/release',
    end: 'CLOSED',
    begin: ({ anOrder }, who) => anOrder({ at: 'IN_PROGRESS', between: who }),
  },
];

test('an envelope that never arrives is replaced after it has expired, and not before', async (t) => {
  const fixture = await openOrders(t, { env: { PROVIDER_TIMEOUT_MS: '1500' } });
  const { app, simulator, fault } = fixture;
  const transactions = (orderId: string, call: string) =>
    app.sql(`select id, state, failure from ledger_transactions where actions @> $1::jsonb order by created_at`, [
      JSON.stringify([{ orderId, call }]),
    ]);
  const struck = async (orderId: string): Promise<number> => {
    const { faults } = await simulator('GET /faults');
    return MANY - faults.find(({ match }: Any) => match === orderId).count;
  };

  const orders = await Promise.all(
    COURSES.map(async (course) => {
      const { id } = await course.begin(fixture, await fixture.parties());
      await fault('send-transaction', 'timeout', { match: id, count: MANY });
      assert.equal(codeOf(await app.call(`POST /orders/${id}/${course.path}`)), '504 PROVIDER_TIMEOUT');
      return { id, ...course };
    }),
  );
  for (const { id, call } of orders) {
    await until(async () => (await struck(id)) > 1, 'the envelope was sent again');
    const rows = await transactions(id, call);
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['SIGNED'],
      'there is still only one envelope',
    );
  }
  await simulator('POST /clock/advance', { seconds: BEYOND_S });
  await simulator('DELETE /faults');
  for (const { id, call, end } of orders) {
    await fixture.untilStatus(id, end);
    const [first, second, ...more] = await transactions(id, call);
    assert.deepEqual([first.state, second.state, more], ['FAILED', 'SUCCEEDED', []]);
    assert.match(first.failure, /^expired/);
  }
  assert.equal((await simulator('GET /state')).contracts.length, orders.length);
  await fixture.assertSound();
});
