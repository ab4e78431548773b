// The numbers of our wallets are remembered instead of read before each transaction. A remembered number that is too low is never paid
// with twice: the rows or the ledger refuse it, and it is forgotten.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertBooksEqualLedger,
  type Environment,
  onLedger,
  openEnvironment,
  startProcess,
  transactionsOf,
} from './ledger-fixture.ts';

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

test('after a payment that succeeded, the next ones need no read of the account', async (t) => {
  const { environment, server, ann, bob, received } = await open(t);
  assert.equal((await server.pay(ann, bob, '1.00')).kind, 'yes');
  hideAccount(environment, ann.address);
  for (let payments = 0; payments < 3; payments++) assert.equal((await server.pay(ann, bob, '1.00')).kind, 'yes');
  assert.equal(received(), '4.0000000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a number that another process has used since is refused by the rows, and the payment is made once with the next one', async (t) => {
  const { environment, server, ann, bob, received } = await open(t);
  const other = await startProcess(t, environment);
  for (const by of [server, other, other, server]) assert.equal((await by.pay(ann, bob, '1.00')).kind, 'yes');
  assert.equal(received(), '4.0000000');
  assert.equal(transactionsOf(environment.sandbox, ann.address).length, 4);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
