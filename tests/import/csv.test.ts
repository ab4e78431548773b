// An import from CSV files: the plan writes nothing, the same plan is applied once, and both systems agree afterwards.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { CSV, countsOf, FILES, openImport } from './fixture.ts';

test('an import from CSV: planned, applied, and applied again without effect', async (t) => {
  const marketplace = await openImport(t, await openApp(t));
  const { run, write, rows, balanceOf, userOf, done, tool } = marketplace;
  await write(CSV);
  const before = await rows();
  const planned = await run(FILES);

  await t.test('the plan writes nothing and shows everything that will be written', async () => {
    assert.equal(planned.code, 0, planned.err + planned.out);
    assert.equal(planned.json.applied, false);
    assert.deepEqual(countsOf(planned), {
      users: [3, 3, 0, 0, 0],
      'opening balances': [3, 3, 0, 0, 0],
      orders: [5, 2, 0, 3, 0],
    });
    assert.deepEqual(
      planned.json.left.map(({ orderId, status }: { orderId: string; status: string }) => [orderId, status]),
      [
        ['old-3', 'ESCROW_FUNDING'],
        ['old-4', 'IN_PROGRESS'],
      ],
    );
    const usd = planned.json.backing.find(({ currency }: { currency: string }) => currency === 'USD');
    assert.deepEqual([usd.liabilities, usd.liabilitiesAfter, usd.missing], ['0.00', '155.51', '155.51']);
    assert.deepEqual(await rows(), before);
  });

  await t.test('another plan than the one that was shown is refused, and writes nothing', async () => {
    const other = await run([...FILES, '--apply', '0123456789abcdef']);
    assert.equal(other.code, 1);
    assert.match(other.err, /The plan is [0-9a-f]{16} now/);
    assert.deepEqual(await rows(), before);
  });

  const applied = await run([...FILES, '--apply', planned.json.plan]);
  const after = await rows();

  await t.test('users, balances and orders are as in the source', async () => {
    assert.equal(applied.code, 0, applied.err + applied.out);
    assert.notDeepEqual(after, before);
    assert.deepEqual(await balanceOf('ada'), ['100.50', '55.00']);
    assert.deepEqual(await balanceOf('ada', 'XLM'), ['7.25', '0.00']);
    assert.deepEqual(await balanceOf('grace'), ['0.01', '0.00']);
    assert.equal((await userOf(`o'neil, "the" third`)).status, 'SUSPENDED');
    assert.deepEqual([(await userOf('ada')).name, (await userOf('grace')).name], ['Lovelace, Ada', null]);
    const [order] = await done('GET /orders?clientOrderRef=cart-1');
    assert.deepEqual(
      [order.status, order.amount, order.platformFee, order.title, order.metadata.importedFrom],
      ['FUNDS_RESERVED', '40.00', '7.50', 'Logo', 'old-1'],
    );
    assert.deepEqual(
      order.milestones.map(({ ref, amount }: { ref: string; amount: string }) => [ref, amount]),
      [
        ['a', '15.00'],
        ['b', '25.00'],
      ],
    );
    const [created] = await done('GET /orders?clientOrderRef=old-2');
    assert.deepEqual([created.status, created.platformFee], ['ORDER_CREATED', '5.00']);
  });

  await t.test('the sums of both systems agree, without what stays in the old one', async () => {
    const usd = applied.json.sums.find(({ currency }: { currency: string }) => currency === 'USD');
    assert.deepEqual(usd, {
      currency: 'USD',
      source: { available: '100.51', reserved: '60.00' },
      left: '5.00',
      holdfast: { available: '100.51', reserved: '55.00' },
      difference: '0.00',
    });
  });

  await t.test('the counterpart is the account of opening balances, and the proof holds', async () => {
    const [opening] = await marketplace.app.sql(
      `select balance::text from accounts where marketplace_id = $1 and id = 'operator:opening-balances:USD'`,
      [marketplace.marketplaceId],
    );
    assert.equal(opening.balance, '-1555100000');
    await marketplace.assertProof();
  });

  await t.test('the file beside the source says what was written, without the key', async () => {
    const text = await readFile(path.join(tool.folder, 'import-opening.jsonl'), 'utf8');
    const lines = text.trimEnd().split('\n');
    const types = lines.map((line) => JSON.parse(line).type);
    assert.deepEqual([types[0], types.at(-1)], ['run', 'end']);
    assert.equal(types.filter((type) => type === 'credit').length, 3);
    assert.ok(!text.includes(marketplace.key));
  });

  await t.test('the same import again changes nothing and finds everything there', async () => {
    const again = await run([...FILES, '--apply', planned.json.plan]);
    assert.equal(again.code, 0, again.err + again.out);
    assert.deepEqual(countsOf(again), {
      users: [3, 0, 3, 0, 0],
      'opening balances': [3, 0, 3, 0, 0],
      orders: [5, 0, 2, 3, 0],
    });
    assert.deepEqual(await rows(), after);
  });

  await t.test('another amount for a user who was credited is a problem, and not a second credit', async () => {
    await write({ 'balances.csv': CSV['balances.csv'].replace('0.01', '0.02') });
    const changed = await run(FILES);
    assert.equal(changed.code, 1);
    assert.match(changed.json.problems.join(), /grace: this import has credited 0\.01 USD before, .* says 0\.02/);
    assert.deepEqual(await rows(), after);
  });
});

test('a user with the same external id and another e-mail address is reported and not overwritten', async (t) => {
  const { run, apply, write, rows, done, userOf, balanceOf } = await openImport(t, await openApp(t));
  await done('POST /users', { externalUserId: 'ada', email: 'someone@else.example' });
  await done(`POST /users/${(await userOf('ada')).id}/balance/credit`, { amount: '3.00' });
  await write(CSV);
  const before = await rows();
  const refused = await run(FILES);
  assert.equal(refused.code, 1);
  assert.match(refused.json.problems.join(), /ada exists with the e-mail address someone@else\.example/);
  assert.deepEqual(await rows(), before);

  const kept = await apply([...FILES, '--keep-emails']);
  assert.equal(kept.code, 0, kept.err + kept.out);
  assert.equal((await userOf('ada')).email, 'someone@else.example');
  assert.deepEqual(await balanceOf('ada'), ['103.50', '55.00'], 'what was there before stays');
});

test('a balance that changes while the import runs is a difference, and the exit code says so', async (t) => {
  const { run, apply, write, done, userOf } = await openImport(t, await openApp(t));
  await write(CSV);
  const { json } = await apply(FILES);
  await done(`POST /users/${(await userOf('grace')).id}/balance/debit`, { amount: '0.01' });
  const again = await run([...FILES, '--apply', json.plan]);
  assert.equal(again.code, 1);
  assert.match(again.json.differences.join(), /grace in USD: .*0\.01 available.* Holdfast has 0\.00 available/);
  assert.equal(again.json.sums[0].difference, '0.01');
});

test('a reference of another order, and reserved orders without cover, stop the import before it writes', async (t) => {
  const { run, write, rows, done, userOf } = await openImport(t, await openApp(t));
  await done('POST /users', { externalUserId: 'ada', email: 'ada@shop.example' });
  await done('POST /users', { externalUserId: 'grace', email: 'grace@shop.example' });
  const { id: buyerId } = await userOf('ada');
  const { id: sellerId } = await userOf('grace');
  await done('POST /orders', { buyerId, sellerId, amount: '1.00', clientOrderRef: 'old-2' });
  await write(CSV);
  const before = await rows();
  const { code, json } = await run(['--orders', 'orders.csv']);
  assert.equal(code, 1);
  assert.match(json.problems.join(), /old-2 belongs to ord_\w+, which is another order/);
  assert.match(json.problems.join(), /ada: the reserved orders need 40\.00 USD, and only 0\.00 is available/);
  assert.deepEqual(await rows(), before);
});
