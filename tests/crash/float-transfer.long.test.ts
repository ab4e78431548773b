// The server is killed before and after each of the three commits of an allotment. The next server gets no information about the kill:
// the float arrives once, or was never given, and a repeat of the request moves it once.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { MASTER_KEY } from '../../tools/processes/server-process.ts';
import { until } from '../../tools/until.ts';
import type { Point } from './gate.ts';
import { type Environment, openEnvironment, type Place } from './order-environment.ts';

const TIMEOUT_MS = 300_000;
const STEPS = ['commit FLOAT_GIVEN', 'commit FLOAT_RECEIVED', 'commit FLOAT_ARRIVED'];
const POINTS: readonly Point[] = [
  { at: 0, when: 'before' },
  { at: 0, when: 'after' },
  { at: 1, when: 'after' },
  { at: 2, when: 'after' },
];

const allot = ({ ask }: Environment, { marketplaceId }: Place, idempotencyKey: string) =>
  ask(`POST /marketplaces/${marketplaceId}/float`, {
    key: MASTER_KEY,
    body: { amount: '100.00', currency: 'USD' },
    headers: { 'idempotency-key': idempotencyKey },
  });

const floatOf = async ({ expect }: Environment, id: string) =>
  (await expect(`GET /marketplaces/${id}`, { key: MASTER_KEY })).float;

const inTransit = ({ sql }: Environment) => sql('select id from float_transfers where arrived_at is null');

test('kill -9 at each step of a transfer of float: another server ends it, and the float is there once', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const environment = await openEnvironment(t);
  const { gate } = environment;
  await environment.start();
  const place = await environment.makePlace();
  await environment.untilRest([place]);
  await environment.allowJobs([]);
  const unstopped = gate.begin(place.marketplaceId, null);
  assert.equal((await allot(environment, place, randomUUID()))?.status, 201);
  // The last commit is that of the stored answer.
  assert.deepEqual(unstopped.seen.slice(0, STEPS.length), STEPS);
  gate.end();
  const { held } = await floatOf(environment, 'mkt_default');
  let expected = 100;
  for (const point of POINTS) {
    const name = `${point.when} ${STEPS[point.at]}`;
    const key = randomUUID();
    const turn = gate.begin(place.marketplaceId, point);
    const asked = allot(environment, place, key);
    await Promise.race([turn.stopped, asked.then((answer) => assert.fail(`${name}: not stopped, ${answer?.text}`))]);
    gate.end();
    await environment.kill();
    assert.equal(await asked, null);
    const isGiven = point.at > 0 || point.when === 'after';
    const isOpen = isGiven && point.at < 2;
    assert.equal((await inTransit(environment)).length, isOpen ? 1 : 0, name);

    await environment.allowJobs(['resume-float-transfers']);
    await environment.start();
    await until(async () => (await inTransit(environment)).length === 0, `${name}: the job has ended the transfer`);
    assert.equal((await floatOf(environment, place.marketplaceId)).held, `${expected + (isGiven ? 100 : 0)}.00`, name);
    assert.equal((await allot(environment, place, key))?.status, 201, name);
    expected += 100;
    const { held: received, allotted } = await floatOf(environment, place.marketplaceId);
    assert.deepEqual([received, allotted], [`${expected}.00`, `${expected}.00`], name);
    await environment.allowJobs([]);
  }
  const { difference, inTransit: onItsWay } = await environment.expect('GET /reconciliation/float', {
    key: MASTER_KEY,
  });
  assert.deepEqual([difference, onItsWay], ['0.00', '0.00']);
  const { held: left } = await floatOf(environment, 'mkt_default');
  assert.equal(Number(held) - Number(left), 100 * POINTS.length);
});
