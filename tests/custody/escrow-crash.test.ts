// A crash at any step of a call, and several processes at the same operation, leave each call made once, the books equal to
// the ledger, and nobody told no for what was done.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Step } from '../../server/src/custody/purser.ts';
import type { CallName } from '../../server/src/domain/escrow.ts';
import { until } from '../committer/bend.ts';
import { assertBooksEqualLedger, MARKETPLACE, startProcess, type World } from './custody-stand.ts';
import { type Deal, openScene, sentFrom } from './escrow-stand.ts';

type Scene = Awaited<ReturnType<typeof openScene>>;

const STEPS: readonly Step[] = ['signed', 'recorded', 'submitted', 'looked-up', 'settled'];

/** Makes a call in a process that ends, as far as ledger and books can tell, at this step of it. */
const crashAt = async (t: TestContext, { world, deal }: Scene, { call, step }: { call: CallName; step: Step }) => {
  let isDead = false;
  const mortal = await startProcess(t, world, {
    timeoutMs: 1_000,
    onStep(now) {
      if (now === step) isDead = true;
      if (isDead) throw new Error(`crashed at ${step}`);
    },
  });
  const sent = await deal.send(call, { by: mortal }).catch(() => null);
  assert.ok(isDead && sent?.kind !== 'yes');
  await mortal.close();
};

/** Of the buyer: the deployment, and every funding. */
const sentByBuyer = (world: World, { buyer }: Deal): number => sentFrom(world, buyer.address).length;

for (const step of STEPS) {
  test(`a crash at "${step}" of a funding leaves it made once, also when the operation is carried on`, async (t) => {
    const scene = await openScene(t);
    const { world, house, deal } = scene;
    await deal.deployed();
    await crashAt(t, scene, { call: 'fund', step });
    const next = await startProcess(t, world, { timeoutMs: 1_000 });
    await next.purser.resumeAll();
    const sent = await deal.send('fund', { by: next });
    // Signed and not kept, it was never sent; from then on it was.
    if (step === 'signed') assert.equal(sent.kind, 'yes');
    else assert.ok(sent.kind === 'no' && sent.code === 'CALL_DONE');
    assert.deepEqual(await deal.calls(), ['deploy', 'fund']);
    assert.equal(sentByBuyer(world, deal), 2, 'a deployment and one funding');
    await assertBooksEqualLedger(house.pool, world.sandbox);
  });

  test(`a crash at "${step}" of a release pays the seller once`, async (t) => {
    const scene = await openScene(t);
    const { world, house, deal } = scene;
    await deal.funded();
    await deal.make('change-status');
    await deal.make('approve');
    await crashAt(t, scene, { call: 'release', step });
    const next = await startProcess(t, world, { timeoutMs: 1_000 });
    await next.purser.resume({ marketplaceId: MARKETPLACE, source: deal.buyer.address });
    const sent = await deal.send('release', { by: next });
    if (sent.kind !== 'yes') assert.ok(sent.kind === 'no' && sent.code === 'CALL_DONE');
    assert.equal((await deal.calls()).filter((call) => call === 'release').length, 1);
    await assertBooksEqualLedger(house.pool, world.sandbox);
  });
}

test('two processes that carry out the same funding at once fund once, and neither hears a no of the provider', async (t) => {
  for (let round = 0; round < 3; round++) {
    await t.test(`round ${round + 1} of the same race`, async (each) => {
      const { world, house, deal } = await openScene(each);
      await deal.deployed();
      const other = await startProcess(each, world, { timeoutMs: 2_000 });
      // The wallet has the money for one only, so that a second preparation would be refused.
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) => deal.send('fund', { by: index % 2 === 0 ? house : other })),
      );
      assert.ok(answers.filter(({ kind }) => kind === 'yes').length <= 1);
      for (const sent of answers) {
        if (sent.kind === 'no') assert.ok(['CALL_DONE', 'CALL_OPEN'].includes(sent.code ?? ''), `${sent.code}`);
      }
      await until(async () => (await deal.calls()).includes('fund'), 'it is funded');
      assert.equal(sentByBuyer(world, deal), 2, 'a deployment and one funding');
      await assertBooksEqualLedger(house.pool, world.sandbox);
    });
  }
});

test('a call of an operation that is over, or beside another that is on its way, is not sent', async (t) => {
  const { world, house, deal } = await openScene(t, { buyerHas: '100' });
  await deal.deployed();
  await house.endOperation(deal.operationId());
  const over = await deal.send('fund');
  assert.ok(over.kind === 'no' && over.why === 'refused' && over.code === 'OPERATION_OVER' && over.hash === null);

  await deal.begin('fund-escrow');
  await deal.keep({ transactionId: 'f'.repeat(64) });
  const beside = await deal.send('change-status');
  assert.ok(beside.kind === 'no' && beside.code === 'CALL_OPEN');
  await deal.keep({ transactionId: null });
  await deal.make('fund');
  const { rows } = await house.pool.query('select step from operations where id = $1', [deal.operationId()]);
  assert.deepEqual(rows, [{ step: 'fund' }]);
  await assertBooksEqualLedger(house.pool, world.sandbox);
});

/** A funding that the provider says it has not sent, though the ledger gets it in the end. */
const fundBehindARefusal = async ({ world, house, deal }: Scene): Promise<string> => {
  world.sandbox.faults.arm({ operation: 'fund', fault: 'http-200-failed' });
  const sent = await deal.send('fund');
  assert.ok(sent.kind === 'no' && sent.why === 'rejected' && sent.hash !== null);
  assert.equal((await deal.escrow()).transactionId, null);
  const { envelope } = (await house.transactions.find(MARKETPLACE, sent.hash))!;
  assert.equal((await house.ledger.submit(envelope)).kind, 'yes');
  return sent.hash;
};

test('a refused funding that the ledger has after all is found, and counts as made', async (t) => {
  const scene = await openScene(t);
  const { world, house, deal } = scene;
  await deal.deployed();
  const hash = await fundBehindARefusal(scene);
  await house.purser.resumeAll();
  assert.equal((await house.transactions.find(MARKETPLACE, hash))!.state, 'SUCCEEDED');
  assert.deepEqual(await deal.calls(), ['deploy', 'fund']);
  await assertBooksEqualLedger(house.pool, world.sandbox);
});

test('a refused funding that the ledger has after all is not made a second time, also for a new escrow with its contract', async (t) => {
  const scene = await openScene(t, { buyerHas: '100' });
  const { world, house, deal } = scene;
  const contractId = await deal.deployed();
  await fundBehindARefusal(scene);
  const again = await deal.again(contractId);
  const sent = await again.send('fund');
  assert.ok(sent.kind === 'no' && sent.code === 'CALL_DONE', sent.kind);
  assert.deepEqual(
    [await deal.calls(), await again.calls()],
    [
      ['deploy', 'fund'],
      ['deploy', 'fund'],
    ],
  );
  assert.equal(sentByBuyer(world, deal), 2, 'a deployment and one funding');
  await assertBooksEqualLedger(house.pool, world.sandbox);
});

test('calls of one wallet for many orders are made one after the other, by several processes', async (t) => {
  const { world, house, deal } = await openScene(t, { buyerHas: '300' });
  const other = await startProcess(t, world, { timeoutMs: 2_000 });
  const deals = [deal, ...(await Promise.all(Array.from({ length: 4 }, () => deal.sibling())))];
  await Promise.all(
    deals.map(async (one, index) => {
      const by = index % 2 === 0 ? house : other;
      // Losing every round to the others is no answer; asking again is safe.
      await until(async () => {
        const sent = await one.send('deploy', { by });
        assert.notEqual(sent.kind, 'no', 'reason' in sent ? sent.reason : '');
        return sent.kind === 'yes' || (await one.calls()).includes('deploy');
      }, 'it is deployed');
    }),
  );
  const contracts = await Promise.all(deals.map(async (one) => (await one.escrow()).calls[0]!.contractId));
  assert.equal(new Set(contracts).size, deals.length);
  await assertBooksEqualLedger(house.pool, world.sandbox);
});
