// Which contracts may deploy escrows: the sandbox names its own, and an operator names those of another provider. An unnamed
// factory deploys nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factoryAddress } from '../../sandbox/src/escrow-provider/contract/factory.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { openOrders, openSharedOrders } from '../support/order-fixture.ts';

const OTHER = 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE';

test('an order gets its escrow from the factories that the sandbox names, of both types', async (t) => {
  const { parties, anOrder, simulator } = await openSharedOrders(t);
  const who = await parties();
  const { escrowFactories } = await simulator('GET /state');
  assert.deepEqual(Object.keys(escrowFactories).sort(), ['multi-release', 'single-release']);
  for (const milestones of [['100.00'], ['40.00', '60.00']]) {
    const { escrow } = await anOrder({ at: 'ESCROW_FUNDING', between: who, milestones });
    assert.match(escrow.providerContractId, /^C[A-Z2-7]{55}$/);
  }
});

test('an escrow of another factory, or with other code, than the operator has named is not deployed', async (t) => {
  const env = {
    ESCROW_FACTORY_SINGLE: OTHER,
    ESCROW_FACTORY_MULTI: factoryAddress('multi-release', PASSPHRASE),
    ESCROW_CODE_HASH_MULTI: 'ab'.repeat(32),
  };
  const { app, anOrder, simulator } = await openOrders(t, { env });
  for (const milestones of [['100.00'], ['40.00', '60.00']]) {
    const { id } = await anOrder({ at: 'FUNDS_RESERVED', milestones });
    const answer = await app.call(`POST /orders/${id}/escrow`);
    assert.equal(answer.status, 500, answer.text);
    assert.match(answer.text, /not signed/);
  }
  assert.deepEqual((await simulator('GET /state')).contracts, []);
});

test('a factory is a contract address and a code hash is 64 hexadecimal digits', () => {
  const good = readConfig({ ESCROW_FACTORY_MULTI: OTHER, ESCROW_CODE_HASH_MULTI: '0f'.repeat(32) });
  assert.ok(good.ok);
  const { escrowFactorySingle, escrowFactoryMulti, escrowCodeHashMulti } = good.config.adapters;
  assert.deepEqual([escrowFactorySingle, escrowFactoryMulti, escrowCodeHashMulti], [null, OTHER, '0f'.repeat(32)]);
  for (const [name, value] of [
    ['ESCROW_FACTORY_SINGLE', OTHER.replace(/^C/, 'G')],
    ['ESCROW_FACTORY_MULTI', `${OTHER}A`],
    ['ESCROW_CODE_HASH_SINGLE', 'xy'.repeat(32)],
  ] as const) {
    const read = readConfig({ [name]: value });
    assert.ok(!read.ok && read.problems.some((problem) => problem.includes(name)), name);
  }
});
