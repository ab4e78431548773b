// Commands for users, top-ups and withdrawals, with output for people and for programs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { MASTER_KEY } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

test('users, top-ups and withdrawals from the command line', { timeout: 300_000 }, async (t) => {
  const app = await openApp(t, { sandbox: true });
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const made = await tool.run([
    'users',
    'create',
    'ada',
    '--email',
    'ada@shop.example',
    '--credit',
    '100.00',
    '--json',
  ]);
  const { id } = made.json;

  await t.test('a user is made once, with money, and again found by the same external id', async () => {
    assert.equal(made.code, 0, made.err);
    assert.deepEqual([made.json.externalUserId, made.json.balance.available], ['ada', '100.00']);
    const again = await tool.run(['users', 'create', 'ada', '--ids']);
    assert.equal(again.out, `${id}\n`);
    assert.equal((await tool.run(['users', 'list', '--q', 'unknown', '--ids'])).out, '');
  });

  await t.test('a table aligns amounts to the right and carries no colour into a pipe', async () => {
    await tool.run(['users', 'create', 'grace', '--credit', '7.50']);
    const { code, out } = await tool.run(['users', 'list']);
    assert.equal(code, 0);
    const [head, ...rows] = out.trimEnd().split('\n');
    const end = head!.indexOf('available') + 'available'.length;
    assert.deepEqual(rows.map((row) => row.slice(0, end).split(/\s+/).at(-1)).toSorted(), ['100.00', '7.50']);
    assert.ok(!out.includes('\u001b'));
  });

  await t.test('a user is shown with the balance in every currency', async () => {
    const { out } = await tool.run(['users', 'show', id]);
    assert.match(out, /USD\s+100\.00\s+0\.00\s+100\.00/);
    assert.match(out, /XLM\s+0\.00/);
    const { json } = await tool.run(['users', 'show', id, '--json']);
    assert.deepEqual(
      json.balances.map((each: { currency: string }) => each.currency),
      ['USD', 'USDC', 'XLM'],
    );
  });

  await t.test('a credit and a debit change the balance; too much is refused with what is there', async () => {
    assert.equal((await tool.run(['users', 'credit', id, '5.25', '--json'])).json.available, '105.25');
    assert.equal((await tool.run(['users', 'debit', id, '0.25', '--json'])).json.available, '105.00');
    const refused = await tool.run(['users', 'debit', id, '500.00']);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /INSUFFICIENT_FUNDS/);
    assert.match(refused.err, /Available: 105\.00 USD/);
    assert.match(refused.err, /Request [0-9a-f-]{36}/);
  });

  await t.test('a top-up that the sandbox confirms is succeeded', async () => {
    const topup = await tool.run(['topups', 'create', id, '40.00', '--json']);
    const pulled = await tool.run(['trigger', 'payin.succeeded', topup.json.id]);
    assert.equal(pulled.code, 0, pulled.err);
    const shown = await tool.run(['topups', 'show', topup.json.id]);
    assert.match(shown.out, /TOPUP_SUCCEEDED/);
    assert.match((await tool.run(['topups', 'list', '--user', id])).out, /40\.00\s+USD/);
  });

  await t.test(
    'a withdrawal beyond the float is refused with its figures, and a credit by hand is not the advice',
    async () => {
      await tool.run(['users', 'credit', id, '2000000.00']);
      const refused = await tool.run(['withdrawals', 'create', id, '1500000.00', '--email', 'ada@shop.example']);
      assert.equal(refused.code, 1);
      assert.match(
        refused.err,
        /Float of the marketplace: 10\d{5}\.00 USD\. Open withdrawals: 0\.00 USD\. Credit line: 0\.00 USD\./,
      );
      assert.match(refused.err, /Requested: 1500000\.00 USD\. Available: 10\d{5}\.00 USD\./);
      assert.match(refused.err, /^Ask the operator to allot float .* a credit by hand does not help\.$/m);
      assert.doesNotMatch(refused.err, /users credit/);
      await tool.run(['users', 'debit', id, '2000000.00']);
    },
  );

  await t.test('a withdrawal is made and shown, and one to nowhere is wrong usage', async () => {
    const made = await tool.run(['withdrawals', 'create', id, '10.00', '--email', 'ada@shop.example', '--json']);
    assert.equal(made.code, 0, made.err);
    const nowhere = await tool.run(['withdrawals', 'create', id, '10.00']);
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.err, /--email .* or --address/);
    const { json } = await tool.run(['withdrawals', 'list', '--json']);
    assert.deepEqual(
      json.items.map((each: { id: string }) => each.id),
      [made.json.id],
    );
    assert.match((await tool.run(['withdrawals', 'show', made.json.id])).out, /payment_account ada@shop\.example/);
  });

  await t.test('a memo needs its kind and an address', async () => {
    const create = ['withdrawals', 'create', id, '10.00'];
    const address = Keypair.random().publicKey();
    const halves = await tool.run([...create, '--address', address, '--memo', '12']);
    assert.deepEqual([halves.code, /--memo and --memo-type together/.test(halves.err)], [2, true]);
    const mail = await tool.run([...create, '--email', 'ada@shop.example', '--memo', '12', '--memo-type', 'id']);
    assert.deepEqual([mail.code, /--memo belongs to --address/.test(mail.err)], [2, true]);
    const refused = await tool.run([...create, '--address', address, '--memo', '-1', '--memo-type', 'id']);
    assert.match(refused.err, /destination\.memo must be a whole number/);
  });

  await t.test(
    'the deposit address of a user is printed with its asset and its network, and its wallet is active',
    async () => {
      const { publicKey } = (await tool.run(['wallets', 'list', id, '--json'])).json.items[0];
      const { out } = await tool.run(['wallets', 'deposit', id]);
      assert.match(out, new RegExp(`^address +${publicKey}\nasset +USDC of G.*\nnetwork +${PASSPHRASE}\nSend USDC`));
      assert.equal((await tool.run(['wallets', 'deposit', id, '--json'])).json.address, publicKey);
      assert.match(
        (await tool.run(['wallets', 'list', id])).out,
        new RegExp(`${publicKey}\\s+stored encrypted\\s+yes`),
      );
    },
  );

  await t.test('a wallet is linked, challenged and proved', async () => {
    const key = Keypair.random();
    const linked = await tool.run(['wallets', 'link', id, key.publicKey(), '--json']);
    assert.deepEqual([linked.code, linked.json.publicKey], [0, key.publicKey()]);
    const challenge = await tool.run(['wallets', 'challenge', id]);
    const transaction = TransactionBuilder.fromXDR(challenge.out.trim(), PASSPHRASE);
    assert.match(
      challenge.err,
      new RegExp(`Sign it with G.* for the network "${PASSPHRASE}" until .*prove ${id} <signed`),
    );
    const unsigned = await tool.run(['wallets', 'prove', id, challenge.out.trim()]);
    assert.match(unsigned.err, /^WALLET_PROOF_INVALID: .*holds the key of the wallet\. Ask.*\n {2}Reason: \w/);
    transaction.sign(key);
    const proved = await tool.run(['wallets', 'prove', id, transaction.toXDR(), '--json']);
    assert.equal(proved.code, 0, proved.err);
    assert.match(proved.json.provedAt, /Z$/);
    const { out } = await tool.run(['wallets', 'list', id]);
    assert.match(out, new RegExp(`${key.publicKey()}\\s+held by the user\\s+yes\\s+\\d{4}`));
  });

  await t.test('a credit line that is taken away while it is used names what is owed and what is missing', async () => {
    const line = (amount: string) =>
      tool.run(['marketplaces', 'credit-line', app.marketplaceId, amount, '--key', MASTER_KEY]);
    assert.equal((await line('2000000.00')).code, 0);
    const user = await tool.run(['users', 'create', 'edsger', '--credit', '2000000.00', '--ids']);
    const withdraw = ['withdrawals', 'create', user.out.trim(), '1500000.00', '--email', 'ada@shop.example'];
    assert.equal((await tool.run(withdraw)).code, 0);
    const { out } = await line('0.00');
    const [, owed] =
      /^(\d+\.\d\d) USD is still owed\. Allot it with `holdfast marketplaces float \S+ \1`\.$/m.exec(out) ?? [];
    assert.ok(owed, out);
    assert.match(out, /^The credit line of \S+ is 0\.00 USD\.$/m);
    assert.match(out, new RegExp(`^missing\\s+${owed} USD$`, 'm'));
    assert.doesNotMatch(out, /^available/m);
  });
});
