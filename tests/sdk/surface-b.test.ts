// The client of Surface B, from the registration to the released escrow, against a real server and its simulators.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { SurfaceB } from '@holdfast/sdk';
import { failureOf, openPeopleFixture } from './fixture.ts';
import { passedOf } from './line.ts';

const PASSWORD = 'correct horse battery';

/** The token of a new person: all people of Surface B are in one marketplace, which other tests use too. */
const registrationOf = (name: string) => ({ email: `${randomUUID()}@example.com`, password: PASSWORD, name });

test('two people, a project and its escrow, by the smaller interface', async (t) => {
  const { app, client } = await openPeopleFixture(t, { sandbox: true });
  const ada = new SurfaceB({ url: app.url });
  const grace = new SurfaceB({ url: app.url });
  const buyer = await ada.register(registrationOf('Ada'));
  const { email } = registrationOf('Grace');
  const seller = await grace.register({ email, password: PASSWORD, name: 'Grace' });
  assert.equal(ada.token, buyer.token);
  await client.balances.credit(buyer.id, { amount: '100.00' });
  const project = await ada.createProject({ title: 'A logo', budget: 80, currency: 'USD' });
  const asked = { project_id: project.id, seller_id: seller.id, amount: 60, currency: 'USD' } as const;
  const escrow = await ada.initEscrow(asked);
  assert.equal(escrow.status, 'funded');
  const usd = (await ada.balances()).find(({ currency }) => currency === 'USD')!;
  assert.deepEqual([usd.available, usd.held], [40, 60]);
  assert.equal((await ada.releaseEscrow({ escrow_id: escrow.escrow_id })).status, 'released');
  const [listed] = await ada.projects().toArray({ max: 5 });
  assert.deepEqual([listed!.id, listed!.status], [project.id, 'completed']);
  const again = new SurfaceB({ url: app.url });
  await again.login({ email, password: PASSWORD });
  const paid = await again.transactions({ currency: 'USD' }).toArray({ max: 5 });
  assert.deepEqual(
    paid.map(({ type, amount }) => [type, amount]),
    [['credit', 57]],
  );
  const { address } = await client.wallets.treasuryDeposit();
  assert.equal(
    (await again.connectWallet({ public_key: address }).catch((error) => error)).code ?? 'linked',
    'REFUSED',
  );
});

test('lists are read over several pages', async (t) => {
  const { app } = await openPeopleFixture(t);
  const ada = new SurfaceB({ url: app.url });
  await ada.register(registrationOf('Ada'));
  for (let i = 1; i <= 5; i++) await ada.createProject({ title: `Project ${i}`, budget: i, currency: 'USD' });
  const titles = (await Array.fromAsync(ada.projects({ limit: 2 }))).map(({ title }) => title);
  assert.equal(new Set(titles).size, 5);
  const second = await ada.projects({ limit: 2, page: 2 }).page();
  assert.deepEqual([second.items.length, second.hasMore, second.nextCursor], [2, true, '3']);
});

test('a refusal is REFUSED with its status, message and what is wrong; a token from before is used', async (t) => {
  const { app } = await openPeopleFixture(t);
  const ada = new SurfaceB({ url: app.url });
  const bad = await failureOf(ada.register({ email: 'no address', password: 'short', name: '' }));
  assert.deepEqual([bad.code, bad.status], ['REFUSED', 422]);
  assert.ok(bad.code === 'REFUSED' && bad.details.errors.length >= 2);
  assert.match(bad.requestId!, /\S/);
  assert.equal((await failureOf(ada.balances())).status, 401);
  const { token } = await ada.register(registrationOf('Ada'));
  const later = new SurfaceB({ url: app.url, token });
  assert.equal((await later.balances()).length > 0, true);
});

test('a POST whose answer is lost is not repeated, because its outcome is unknown', async (t) => {
  const { line } = await openPeopleFixture(t);
  const ada = new SurfaceB({ url: line.url });
  await ada.register(registrationOf('Ada'));
  line.play('POST /projects', 'lose-answer', { status: 503, headers: { 'retry-after': '1' } });
  for (let i = 0; i < 2; i++) {
    const error = await failureOf(ada.createProject({ title: 'A logo', budget: 5, currency: 'USD' }));
    assert.equal(error.outcomeUnknown, true);
  }
  assert.equal(passedOf(line, 'POST /projects').length, 2);
  line.play('GET /projects', 'lose-answer');
  assert.equal((await ada.projects().toArray({ max: 5 })).length, 1);
});
