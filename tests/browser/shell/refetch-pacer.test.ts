// How often the console refetches while events arrive, without a browser: at once, then within the rate limit of a key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoldfastEvent } from '@holdfast/sdk';
import { createRefetchPacer } from '../../../console/src/refetch-pacer.ts';
import { idsIn, isStale, staleNamesAfter } from '../../../console/src/stale-queries.ts';

const MINUTE_MS = 60_000;
const TICK_MS = 100;
const ORDER = 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const OTHER = 'ord_01BX5ZZKBKACTAV9WEVGEMMVRZ';
const BUYER = 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV';

const event = (payload: Record<string, unknown>): HoldfastEvent =>
  ({ aggregateType: 'Order', aggregateId: ORDER, payload }) as unknown as HoldfastEvent;

test('an hour of events costs each query name thirty requests a minute', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  for (const cost of [1, 2, 6, 20]) {
    let requests = 0;
    const pacer = createRefetchPacer({
      refetch: () => {
        requests += cost;
      },
      costOf: () => cost,
    });
    for (let at = 0; at < 60 * MINUTE_MS; at += TICK_MS) {
      pacer.request('orders', [ORDER]);
      t.mock.timers.tick(TICK_MS);
    }
    pacer.stop();
    // The burst after a quiet time is counted once.
    assert.ok(requests >= 60 * 20 && requests <= 60 * 30 + 40 + cost, `${requests} requests, ${cost} at a time`);
  }
});

test('the first event refetches at once, and later events refetch together after the interval', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const refetched: string[][] = [];
  const pacer = createRefetchPacer({ refetch: ({ ids }) => refetched.push([...ids]), costOf: () => 1 });
  for (const id of ['a', 'b', 'c', 'b']) pacer.request('orders', [id]);
  assert.deepEqual(refetched, [['a']]);
  t.mock.timers.tick(2_500);
  assert.deepEqual(refetched, [['a'], ['b', 'c']]);
  pacer.request('orders', ['d']);
  pacer.stop();
  t.mock.timers.tick(MINUTE_MS);
  assert.equal(refetched.length, 2, 'a stopped pacer sends no requests');
});

test('an event makes stale the lists of its resource and the records it names, and nothing else', () => {
  const events = [event({ orderId: ORDER, buyerId: BUYER, amount: '5.00', evidence: ['x'] })];
  assert.deepEqual(idsIn(events), [ORDER, ORDER, BUYER]);
  const stale = (...key: unknown[]): boolean =>
    staleNamesAfter(events).some((name) => isStale(key, { name, ids: new Set(idsIn(events)) }));
  for (const key of [
    ['orders', 'list', {}],
    ['orders', ORDER],
    ['orders', ORDER, 'timeline'],
    ['users', BUYER],
  ]) {
    assert.equal(stale(...key), true, key.join());
  }
  // A dispute shows its order, and an order's event does not name the dispute.
  assert.equal(stale('disputes', 'dsp_01ARZ3NDEKTSV4RRFFQ69G5FAV'), true);
  for (const key of [
    ['orders', OTHER],
    ['orders', OTHER, 'timeline'],
    ['topups', 'list'],
    ['names', BUYER],
  ]) {
    assert.equal(stale(...key), false, key.join());
  }
});
