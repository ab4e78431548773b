// Whatever the escrow provider and the ledger answer: a call is made once or not at all, a no is said only when it is
// certain, and the signer's wallet is free again afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertBooksEqualLedger, MARKETPLACE, onLedger, startProcess } from './custody-stand.ts';
import { callWithoutUs, openDeal, openScene, sentFrom } from './escrow-stand.ts';

type Said = { kind: 'yes' | 'no' | 'unknown'; why?: string; code?: string | null };

type Row = {
  readonly operation: 'fund' | 'send-transaction';
  readonly fault: string;
  readonly delayMs?: number;
  readonly said: Said;
  /** What is in the contract when nothing is on its way any more. */
  readonly paid: string;
};

const NOT_SIGNED = { kind: 'no', why: 'refused', code: null } as const;
const UNKNOWN = { kind: 'unknown' } as const;

const FUNDING_FAULTS: readonly Row[] = [
  { operation: 'fund', fault: 'refusal', said: { ...NOT_SIGNED, code: 'REFUSED' }, paid: '0.0000000' },
  { operation: 'fund', fault: 'wrong-amount', said: NOT_SIGNED, paid: '0.0000000' },
  { operation: 'fund', fault: 'timeout', said: UNKNOWN, paid: '0.0000000' },
  { operation: 'fund', fault: 'outage', said: UNKNOWN, paid: '0.0000000' },
  { operation: 'fund', fault: 'slow', delayMs: 50, said: { kind: 'yes' }, paid: '30.0000000' },
  {
    ...{ operation: 'fund', fault: 'http-200-failed', paid: '0.0000000' },
    said: { kind: 'no', why: 'rejected', code: 'REFUSED' },
  },
  { operation: 'fund', fault: 'lost-answer', said: { kind: 'yes' }, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'lost-answer', delayMs: 5, said: { kind: 'yes' }, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'timeout', said: UNKNOWN, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'outage', said: UNKNOWN, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'refusal', said: UNKNOWN, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'slow', delayMs: 2_000, said: UNKNOWN, paid: '30.0000000' },
  { operation: 'send-transaction', fault: 'wrong-amount', said: { kind: 'yes' }, paid: '15.0000000' },
];

for (const { operation, fault, delayMs, said, paid } of FUNDING_FAULTS) {
  test(`a funding under ${fault} of ${operation} is what the ledger has of it, once`, async (t) => {
    const { world, house, deal } = await openScene(t);
    const contractId = await deal.deployed();
    world.sandbox.faults.arm({ operation, fault, ...(delayMs === undefined ? {} : { delayMs }) });
    const sent = await deal.send('fund');
    assert.equal(sent.kind, said.kind, 'reason' in sent ? sent.reason : '');
    if (sent.kind === 'no') assert.deepEqual([sent.why, sent.code], [said.why, said.code]);
    if (sent.kind === 'yes') assert.deepEqual(sent.paid, [BigInt(paid.replace('.', ''))]);
    await assertBooksEqualLedger(house.pool, world.sandbox);
    const held = async () => {
      const answer = await house.provider.balances([contractId]);
      return answer.kind === 'yes' ? answer.value[0]!.balance : null;
    };
    assert.equal(await held(), BigInt(paid.replace('.', '')));
    const { transactionId } = await deal.escrow();
    const isDone = paid !== '0.0000000';
    assert.deepEqual([transactionId, (await deal.calls()).includes('fund')], [null, isDone]);
    assert.deepEqual(world.sandbox.faults.list(), [], 'the fault struck');
    if (isDone) {
      const again = await deal.send('fund');
      assert.ok(again.kind === 'no' && again.code === 'CALL_DONE', 'it is not made twice');
    } else {
      await deal.make('fund');
    }
    assert.equal(await held(), isDone ? BigInt(paid.replace('.', '')) : 300_000_000n);
    await assertBooksEqualLedger(house.pool, world.sandbox);
  });
}

const DEPLOY_ANSWERS = [
  { fault: 'no-contract-id', told: 'null' },
  { fault: 'lost-answer', told: 'undefined' },
] as const;

for (const { fault, told } of DEPLOY_ANSWERS) {
  test(`a deployment under ${fault} tells ${told} for the contract, and our rows know it all the same`, async (t) => {
    const { world, house, deal } = await openScene(t);
    world.sandbox.faults.arm({ operation: 'deploy', fault });
    assert.equal(String((await deal.make('deploy')).contractId), told);
    const [call] = (await deal.escrow()).calls;
    const found = await house.provider.findByEngagement({ signer: deal.buyer.address, engagementId: deal.orderId });
    assert.ok(found.kind === 'yes');
    assert.deepEqual(
      found.value.map(({ contractId }) => contractId),
      [call!.contractId],
    );
    await assertBooksEqualLedger(house.pool, world.sandbox);
  });
}

for (const fault of ['timeout', 'refusal', 'outage', 'wrong-amount'] as const) {
  for (const operation of ['transaction-get', 'account'] as const) {
    test(`a release while ${operation} answers with ${fault} is booked as it was paid`, async (t) => {
      const { world, house, deal } = await openScene(t);
      await deal.funded();
      await deal.make('change-status');
      await deal.make('approve');
      world.sandbox.faults.arm({ operation, fault, count: 2 });
      const sent = await deal.send('release');
      world.sandbox.faults.clear();
      if (sent.kind === 'unknown' && sent.hash === null) await deal.make('release');
      await assertBooksEqualLedger(house.pool, world.sandbox);
      assert.equal(onLedger(world.sandbox, deal.seller.address)!.usdc, '28.4100000');
      assert.ok((await deal.calls()).includes('release'));
    });
  }
}

test('a release that pays another amount than the contract says is booked as it was paid', async (t) => {
  const { world, house, deal } = await openScene(t);
  await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  world.sandbox.faults.arm({ operation: 'release', fault: 'wrong-amount' });
  await deal.make('release');
  assert.equal(onLedger(world.sandbox, deal.seller.address)!.usdc, '14.2050000');
  await assertBooksEqualLedger(house.pool, world.sandbox);
});

test('an envelope whose time ran out in no ledger is a no that may be asked again, and only then', async (t) => {
  const { world, house, deal } = await openScene(t);
  await deal.deployed();
  world.sandbox.faults.arm({ operation: 'send-transaction', fault: 'outage', count: 1_000 });
  const sent = await deal.send('fund');
  assert.equal(sent.kind, 'unknown');
  assert.equal((await deal.escrow()).transactionId, sent.hash);
  const meanwhile = await deal.send('fund');
  assert.deepEqual([meanwhile.kind, meanwhile.hash], ['unknown', null]);
  await world.sandbox.clock.advance(340_000);
  await house.purser.resume({ marketplaceId: MARKETPLACE, source: deal.buyer.address });
  const { rows } = await house.pool.query('select state, failure from ledger_transactions where id = $1', [sent.hash]);
  assert.deepEqual(rows, [{ state: 'FAILED', failure: 'expired before it was in a ledger' }]);
  assert.deepEqual([(await deal.escrow()).transactionId, await deal.calls()], [null, ['deploy']]);
  world.sandbox.faults.clear();
  await deal.make('fund');
  await assertBooksEqualLedger(house.pool, world.sandbox);
});

test('whoever finds that an envelope has expired is told so, with a word to ask again', async (t) => {
  const { world, house, deal } = await openScene(t);
  await deal.deployed();
  const late = await startProcess(t, world, {
    timeoutMs: 1_000,
    beforeSubmit: () => world.sandbox.clock.advance(340_000),
  });
  const sent = await deal.send('fund', { by: late });
  assert.deepEqual([sent.kind, 'why' in sent && sent.why, 'code' in sent && sent.code], ['no', 'expired', null]);
  assert.equal((await deal.escrow()).transactionId, null);
  await deal.make('fund');
  await assertBooksEqualLedger(house.pool, world.sandbox);
});

test('a call that fails on the ledger costs its fee, moves nothing, and is a no', async (t) => {
  const { world, house, deal } = await openScene(t);
  const contractId = await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  // Between preparing and sending, the seller opens a dispute without us.
  const unlucky = await startProcess(t, world, {
    timeoutMs: 1_000,
    beforeSubmit: () =>
      callWithoutUs(house, {
        by: deal.seller,
        step: { kind: 'dispute', type: 'single-release', contractId, signer: deal.seller.address },
      }),
  });
  const sent = await deal.send('release', { by: unlucky });
  assert.deepEqual([sent.kind, 'why' in sent && sent.why, 'code' in sent && sent.code], ['no', 'failed', 'tx_failed']);
  const { transactionId, calls } = await deal.escrow();
  assert.deepEqual([transactionId, calls.some(({ call }) => call === 'release')], [null, false]);
  assert.deepEqual(
    sentFrom(world, deal.buyer.address).map(({ successful }) => successful),
    [true, true, true, false],
  );
  const { rows } = await house.pool.query(`select state from ledger_transactions where id = $1`, [sent.hash]);
  assert.deepEqual(rows, [{ state: 'FAILED' }]);
});

test('a provider that says no to a call is heard with its word, and nothing is signed', async (t) => {
  const { world, house, deal } = await openScene(t);
  await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  const before = sentFrom(world, deal.buyer.address).length;
  await deal.make('dispute');
  const sent = await deal.send('release');
  assert.ok(sent.kind === 'no' && sent.why === 'refused' && sent.hash === null);
  assert.equal(sent.code, 'IN_DISPUTE');
  assert.equal(sentFrom(world, deal.buyer.address).length, before + 1);
  await assertBooksEqualLedger(house.pool, world.sandbox);
});

test('a deployment without a known factory is refused with the setting that is missing', async (t) => {
  const { world, house } = await openScene(t);
  const bare = await startProcess(t, world, { factories: {} });
  for (const [type, setting] of [
    ['single-release', 'ESCROW_FACTORY_SINGLE'],
    ['multi-release', 'ESCROW_FACTORY_MULTI'],
  ] as const) {
    const deal = await openDeal(bare, world, { type });
    const sent = await deal.send('deploy');
    assert.ok(sent.kind === 'no' && sent.why === 'refused' && sent.reason.includes(`set ${setting}`), sent.kind);
    assert.equal((await deal.send('deploy', { by: house })).kind, 'yes');
  }
  await assertBooksEqualLedger(house.pool, world.sandbox);
});

test('without an escrow provider nothing is known, and nothing is signed', async (t) => {
  const { world, deal } = await openScene(t);
  const alone = await startProcess(t, world, { escrow: false });
  const sent = await deal.send('deploy', { by: alone });
  assert.deepEqual([sent.kind, sent.hash], ['unknown', null]);
  assert.match('reason' in sent ? sent.reason : '', /ESCROW_PROVIDER_URL/);
});
