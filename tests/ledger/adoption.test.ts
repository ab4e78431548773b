// What is adopted from the ledger when the database has forgotten it: calls of escrow contracts, and transactions whose fee was raised.
// In each case the books equal the ledger afterwards. adoption.long.test.ts has every call of both kinds of contracts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releasePayments } from '../../server/src/ledger/holds/payment-hold.ts';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { adoptFrom, assertAdoptedCalls, openOlder } from './adoption-fixture.ts';
import { openEscrowFixture } from './escrow-fixture.ts';
import { assertBooksEqualLedger, MARKETPLACE, onLedger, openEnvironment, startProcess } from './ledger-fixture.ts';

test('the creation, the funding and the release of an escrow that the database has forgotten are adopted', async (t) => {
  const fixture = await openEscrowFixture(t);
  const { order } = fixture;
  const older = await openOlder(t, fixture.environment);
  await order.funded();
  for (const call of ['change-status', 'approve', 'release'] as const) await order.make(call);
  await assertAdoptedCalls(t, { fixture, older });
});

test('the funding of an order that the database has forgotten is shown, and booked when it is accepted, in its own asset', async (t) => {
  const { environment, order } = await openEscrowFixture(t, { currency: 'XLM' });
  const older = await openOlder(t, environment);
  await order.funded();

  const restored = await startProcess(t, older);
  const { buyer } = order;
  await restored.pool.query('delete from escrows');
  const place = { marketplaceId: MARKETPLACE, source: buyer.address };
  assert.equal((await restored.sender.adoption.adopt(place)).kind, 'unknown');
  const { rows } = await restored.pool.query('select transactions from payment_holds where id = $1', [buyer.id]);
  const [{ payments }] = rows[0].transactions;
  const { providerContractId: to } = await order.escrow();
  assert.deepEqual(payments, [{ to, asset: 'XLM', units: '300000000' }]);
  await restored.run(releasePayments, { id: buyer.id });
  assert.equal((await adoptFrom(restored, buyer.address)).at(-1)?.state, 'SUCCEEDED');
  const sql = async (text: string, values: unknown[]) => (await restored.pool.query(text, values)).rows;
  assert.deepEqual(await compareBooksWithLedger({ sql, state: environment.sandbox.describe() }), []);
});

test('a payment whose fee the treasury raised is adopted under the hash of the payment itself', async (t) => {
  const environment = await openEnvironment(t);
  const { sandbox } = environment;
  // The bid is that of a quiet network.
  const server = await startProcess(t, environment, { statsReadEveryMs: 600_000 });
  const to = await server.user();
  const from = (await server.treasury())!;
  const older = await openOlder(t, environment);
  sandbox.faults.arm({ operation: 'fees', fault: 'fee-surge', count: 1_000 });
  const sent = await server.pay(from, to, '7');
  assert.equal(sent.kind, 'yes');
  sandbox.faults.clear();
  assert.equal((await server.pool.query('select from ledger_bumps')).rows.length, 1);

  const restored = await startProcess(t, older);
  const [adopted] = await adoptFrom(restored, from.address);
  assert.deepEqual([adopted?.id, adopted?.state], [sent.hash, 'SUCCEEDED']);
  await assertBooksEqualLedger(restored.pool, sandbox);
  assert.equal((await restored.pay(from, to, '1')).kind, 'yes');
  assert.equal(onLedger(sandbox, to.address)!.usdc, '8.0000000');
  await assertBooksEqualLedger(restored.pool, sandbox);
});
