// The clock of the timer jumps forward and back, as a clock that is set wrong and corrected: each deadline is carried out once, and none
// before the clock shows its time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { createDeadlineTimer } from '../../server/src/modules/deadlines/deadline-timer.ts';
import { createDeadlineReads } from '../../server/src/modules/deadlines/queries.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openFixture } from '../commit/fixture.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { assertProof } from '../support/checks.ts';
import { DAY } from './fixture.ts';

const DAYS = [1, 1, 1, 3, 3, 5];

/** A timer of its own, on the database of the app, whose deadlines are days ahead of the wall clock. */
const openTimer = async (t: Hooks, app: TestApp) => {
  let aheadS = 0;
  let rounds = 0;
  const troubles: string[] = [];
  const clock = () => systemClock() + aheadS * 1_000_000;
  const { pool, committer } = await openFixture(t, { connection: app.connection, deadlineClock: clock });
  const reads = createDeadlineReads(pool);
  const timer = createDeadlineTimer({
    submit: committer.submit,
    reads: {
      ...reads,
      listDue(request) {
        rounds++;
        return reads.listDue(request);
      },
    },
    clock,
    onTrouble: (message, error) => void troubles.push(`${message}: ${error}`),
  });
  timer.start();
  afterwards(t, () => timer.close());
  return {
    troubles,
    /** Returns after the timer has read with the moved clock and carried out what it found. */
    async move(seconds: number): Promise<void> {
      aheadS = seconds;
      const begun = rounds;
      await until(() => rounds >= begun + 2, 'the timer reads again');
    },
  };
};

test('a clock that jumps forward and back carries each deadline and each reminder out once', async (t) => {
  const app = await startApp(t);
  const { done, anOrder } = builderOf(app);
  const between = { buyer: await app.aUser({ available: '1000.00' }), seller: await app.aUser() };
  for (const days of DAYS) {
    const rules = { cancelUnfundedAfter: `P${days}D`, remindBefore: ['PT6H'] };
    const { id: policy } = await done('POST /policies', { body: { name: 'days', rules } });
    await anOrder({ between, policy, at: 'FUNDS_RESERVED', amount: '10.00' });
  }
  const { move, troubles } = await openTimer(t, app);
  const told = async (): Promise<string[]> =>
    (
      await app.sql(
        `select event_type || ' ' || count(*) || ' of ' || count(distinct aggregate_id) as told from events
         where event_type like 'order.deadline\\_%' or event_type = 'order.canceled' group by event_type order by event_type`,
      )
    ).map((row) => row.told);
  const toldOf = (count: number, reminded = count): string[] => [
    ...(count === 0 ? [] : [`order.canceled ${count} of ${count}`, `order.deadline_passed ${count} of ${count}`]),
    `order.deadline_reminder ${reminded} of ${reminded}`,
  ];

  // Only reminders, then back before them.
  await move(DAY - 3_600);
  assert.deepEqual(await told(), toldOf(0, 3));
  await move(-10 * DAY);
  assert.deepEqual(await told(), toldOf(0, 3));
  // Over the first deadlines, back before them, and over them again.
  for (const seconds of [DAY + 60, -DAY, 2 * DAY]) {
    await move(seconds);
    assert.deepEqual(await told(), toldOf(3));
  }
  await move(4 * DAY);
  assert.deepEqual(await told(), toldOf(5));
  for (const seconds of [-30 * DAY, 40 * DAY, 0]) await move(seconds);
  assert.deepEqual(await told(), toldOf(DAYS.length));
  const left = await app.sql("select kind, status from deadlines where status <> 'DONE'");
  assert.deepEqual([left, troubles], [[], []]);
  const { available, reserved } = (await app.call(`GET /users/${between.buyer}/balance`)).body.data;
  assert.deepEqual([available, reserved], ['1000.00', '0.00']);
  await assertProof(app);
});
