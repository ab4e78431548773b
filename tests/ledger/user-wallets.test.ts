// The wallet of a new user: created in the same commit, announced to the activation, and never created twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlatformWallet } from '../../server/src/ledger/treasury/platform-wallets.ts';
import { MARKETPLACE, openWallets } from './wallet-fixture.ts';

test('a new user has a PENDING custodial wallet, whose address the user shows, with its event and audit entry', async (t) => {
  const fixture = await openWallets(t);
  const { id, answer, wallet } = await fixture.user();
  const { ledgerAddress, ledgerLinkedAt, createdAt } = answer.body.data;
  assert.deepEqual([ledgerAddress, ledgerLinkedAt], [wallet.address, createdAt]);
  assert.deepEqual(
    [wallet.owner, wallet.userId, wallet.type, wallet.status, wallet.isPrimary, wallet.activatedAt],
    ['user', id, 'INVISIBLE', 'PENDING', true, null],
  );
  const events = (await fixture.sql('select envelope from events order by position')).map((row) =>
    JSON.parse(row.envelope),
  );
  assert.deepEqual(
    events.map((event) => [event.eventType, event.aggregateId, event.metadata.userId]),
    [
      ['user.created', id, id],
      ['user.ledger_linked', id, id],
    ],
  );
  assert.deepEqual(events[1].payload, { userId: id, ledgerAddress: wallet.address, linkedAt: createdAt });
  const [entry] = await fixture.sql(`select * from audit_entries where action = 'WALLET_CREATED'`);
  assert.deepEqual([entry.resource_type, entry.resource_id, entry.user_id], ['Wallet', wallet.id, id]);
  const after = { owner: 'user', address: wallet.address, type: 'INVISIBLE', status: 'PENDING' };
  assert.deepEqual(JSON.parse(entry.payload_after), after);
});

test('each new wallet is announced to the activation once: not for a known user, and not for a repeated key', async (t) => {
  const fixture = await openWallets(t);
  const { id, wallet } = await fixture.user({ body: { externalUserId: 'ada' } });
  assert.deepEqual(
    fixture.announced.map((one) => [one.marketplaceId, one.walletId]),
    [[MARKETPLACE, wallet.id]],
  );
  const again = await fixture.call('POST /users', { body: { externalUserId: 'ada' } });
  assert.deepEqual([again.status, again.body.data.id, again.body.data.ledgerAddress], [200, id, wallet.address]);
  const headers = { 'idempotency-key': 'f0e1d2c3-0000-4000-8000-000000000001' };
  const repeat = () => fixture.call('POST /users', { body: { externalUserId: 'bob' }, headers });
  const first = await repeat();
  const second = await repeat();
  assert.deepEqual([first.status, second.text], [201, first.text]);
  assert.equal(fixture.announced.length, 2);
  const [{ count }] = await fixture.sql('select count(*)::int as count from wallets');
  assert.equal(count, 2);
});

test('forty users at once have forty different addresses, each sealed on its own', async (t) => {
  const fixture = await openWallets(t);
  const users = await Promise.all(Array.from({ length: 40 }, () => fixture.user()));
  assert.equal(new Set(users.map(({ wallet }) => wallet.address)).size, 40);
  assert.equal(new Set(users.map(({ wallet }) => wallet.sealedSecret!.split('.')[2])).size, 40);
  assert.equal(fixture.announced.length, 40);
});

test('twenty requests for the treasury at once make one; the platform has its own, and so has each marketplace', async (t) => {
  const fixture = await openWallets(t);
  const make = async (owner: 'treasury' | 'platform', marketplaceId = MARKETPLACE) => {
    const wallet = await fixture.prepareWallet(marketplaceId);
    const context = fixture.contextOf(marketplaceId);
    const outcome = await fixture.submit({ command: createPlatformWallet, input: { owner, wallet }, context });
    assert.ok(outcome.kind === 'reply');
    return outcome.reply;
  };
  const replies = await Promise.all(Array.from({ length: 20 }, () => make('treasury')));
  assert.equal(replies.filter(({ created }) => created).length, 1);
  assert.equal(new Set(replies.map(({ wallet }) => wallet.id)).size, 1);
  const platform = await make('platform');
  const elsewhere = await make('treasury', 'mkt_other');
  assert.deepEqual([platform.created, elsewhere.created], [true, true]);
  assert.deepEqual((await fixture.wallets.ofPlatform(MARKETPLACE, 'platform'))?.address, platform.wallet.address);
  assert.equal(await fixture.wallets.ofPlatform('mkt_other', 'platform'), null);
});
