// Remembered numbers of accounts after a failure, after a takeover and in the calls of an order. known-numbers.test.ts has the common cases.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOlder } from './adoption-fixture.ts';
import { openEscrowFixture } from './escrow-fixture.ts';
import { assertBooksEqualLedger, type Environment, onLedger, openEnvironment, startProcess } from './ledger-fixture.ts';

/** From now on no read of this account succeeds. */
const hideAccount = ({ sandbox }: Environment, address: string): void => {
  sandbox.faults.arm({ operation: 'account', fault: 'outage', count: 1_000, match: address });
};

const open = async (t: Parameters<typeof openEnvironment>[0]) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const [ann, bob] = await Promise.all([server.richUser('100'), server.user()]);
  return { environment, server, ann, bob, received: () => onLedger(environment.sandbox, bob.address)!.usdc };
};

test('after a payment that failed, the account is read before the next one', async (t) => {
  const { environment, server, ann, bob, received } = await open(t);
  assert.equal((await server.pay(ann, bob, '1.00')).kind, 'yes');
  assert.equal((await server.pay(ann, bob, '1000.00')).kind, 'no');
  assert.equal(server.memory.numbers.find(ann.address), null);
  hideAccount(environment, ann.address);
  assert.deepEqual(
    [(await server.pay(ann, bob, '1.00')).kind, received()],
    ['unknown', '1.0000000'],
    'nothing is signed with a number that is not known',
  );
});

test('a wallet that is ahead of a database that took over is held, although its old number is remembered', async (t) => {
  const { environment, server, ann, bob, received } = await open(t);
  const older = await openOlder(t, environment);
  const behind = await startProcess(t, older);
  await behind.memory.ledger.account(ann.address);
  assert.equal((await server.pay(ann, bob, '5.00')).kind, 'yes');
  assert.equal((await behind.pay(ann, bob, '1.00')).kind, 'unknown');
  const held = await behind.pool.query('select held from payment_holds where id = $1', [ann.id]);
  assert.deepEqual(held.rows, [{ held: true }]);
  const { rows } = await behind.pool.query("select ending from ledger_transactions where purpose = 'test'");
  assert.deepEqual(rows, [{ ending: 'expired' }]);
  assert.equal((await behind.pay(ann, bob, '1.00')).hash, null);
  assert.equal(received(), '5.0000000');
});

test('the calls of an order read the account of their signer once', async (t) => {
  const { environment, server, order } = await openEscrowFixture(t);
  await order.funded();
  assert.notEqual(server.memory.numbers.find(order.buyer.address), null);
  await order.make('change-status');
  hideAccount(environment, order.buyer.address);
  await order.make('approve');
  await order.make('release');
  assert.ok((await order.calls()).some((call) => call.startsWith('release')));
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
