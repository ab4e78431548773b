// The address of the ledger stands for two nodes, and one of them lags behind for minutes: a transaction that only looks expired is not
// made again, and the next number is not signed twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openEscrowFixture } from './escrow-fixture.ts';
import { assertBooksEqualLedger, type Environment, MARKETPLACE } from './ledger-fixture.ts';

const MINUTE_MS = 60_000;

/** After this time an envelope has expired, and a node that lags this far has not seen it. */
const EXPIRED_MS = 6 * MINUTE_MS;

const LAG_MS = 7 * MINUTE_MS;

/** What was there before is older than the lag: a lagging node knows the accounts, and not what they do from now on. */
const grow = ({ sandbox }: Pick<Environment, 'sandbox'>) => sandbox.clock.advance(2 * LAG_MS);

/** Accounts and transactions are read from the lagging node, and the latest ledger from the other. */
const lagBehind = ({ sandbox }: Pick<Environment, 'sandbox'>): void => {
  for (const match of ['transactions', 'accounts']) {
    sandbox.faults.arm({ operation: 'node', fault: 'lagging', count: 10_000, delayMs: LAG_MS, match });
  }
};

const alternate = ({ sandbox }: Pick<Environment, 'sandbox'>): void => {
  sandbox.faults.arm({ operation: 'node', fault: 'alternating', count: 10_000, delayMs: LAG_MS });
};

test('an escrow call that looks expired on a lagging node is not made again', async (t) => {
  const { environment, server, order } = await openEscrowFixture(t);
  const { sandbox } = environment;
  await order.deployed();
  await grow(environment);
  sandbox.faults.arm({ operation: 'fund', fault: 'lost-answer', delayMs: 5 });
  lagBehind(environment);
  const sent = await order.send('fund');
  assert.equal(sent.kind, 'unknown');
  await sandbox.clock.advance(EXPIRED_MS);
  const place = { marketplaceId: MARKETPLACE, source: order.buyer.address };
  for (let rounds = 0; rounds < 3; rounds++) await server.sender.resume(place);
  assert.equal((await order.escrow()).transactionId, sent.hash);
  assert.deepEqual((await order.send('fund')).hash, null);
  sandbox.faults.clear();
  alternate(environment);
  await until(async () => {
    await server.sender.resume(place);
    return (await order.escrow()).transactionId === null;
  }, 'it is settled');
  sandbox.faults.clear();
  assert.deepEqual(await order.calls(), ['deploy', 'fund']);
  await assertBooksEqualLedger(server.pool, sandbox);
});
