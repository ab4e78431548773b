// One story told twice, on Surface A and on Surface B of one marketplace: the same balances, postings, events and audit
// entries, and each surface shows what the other did.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Any, openSharedPeople, type PeopleFixture } from './people-fixture.ts';

type Story = { readonly orderId: string; readonly buyerId: string; readonly sellerId: string };

const onA = async ({ app }: PeopleFixture): Promise<Story> => {
  const buyerId = await app.aUser({ available: '1000.00' });
  const sellerId = await app.aUser();
  const post = async (path: string, body?: object): Promise<Any> => {
    const answer = await app.call(`POST ${path}`, body ? { body } : {});
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data.data;
  };
  const { id: orderId } = await post('/orders', {
    buyerId,
    sellerId,
    amount: '250.50',
    title: 'Logo',
    description: 'Two drafts',
  });
  await post(`/orders/${orderId}/reserve`);
  await post(`/orders/${orderId}/escrow`);
  await post(`/orders/${orderId}/escrow/fund`);
  await post(`/orders/${orderId}/resolution/release`);
  return { orderId, buyerId, sellerId };
};

const onB = async (fixture: PeopleFixture) => {
  const { buyer, seller, projectId, escrow } = await fixture.aFundedEscrow({ amount: 250.5 }, await fixture.aPerson());
  await fixture.done('POST /escrow/release', { token: buyer.token, body: { escrow_id: escrow.escrow_id } });
  const [{ order_id: orderId }] = await fixture.app.sql('select order_id from projects where id = $1', [projectId]);
  return { buyer, seller, story: { orderId, buyerId: buyer.id, sellerId: seller.id } as Story };
};

let told: ReturnType<typeof onB> | null = null;

/** One story on Surface B, for the tests that only read it. */
const toldOnB = (fixture: PeopleFixture): ReturnType<typeof onB> => {
  told ??= onB(fixture);
  return told;
};

/** Ids of one story under names that both stories share. */
const anonymous = (text: string, { orderId, buyerId, sellerId }: Story): string =>
  text.replaceAll(orderId, 'ORDER').replaceAll(buyerId, 'BUYER').replaceAll(sellerId, 'SELLER');

const postingsOf = async ({ app }: PeopleFixture, story: Story): Promise<string[]> => {
  const rows = await app.sql(
    'select account_id, amount::text, balance_after::text, move, reference from postings where reference = $1 order by audit_seq, account_id, seq',
    [story.orderId],
  );
  // The platform's account is shared by both stories, so its balance goes on.
  return rows.map((row) =>
    anonymous(
      [
        row.account_id,
        row.amount,
        row.account_id.startsWith('platform') ? '' : row.balance_after,
        row.move,
        row.reference,
      ].join(' '),
      story,
    ),
  );
};

const eventsOf = async ({ app }: PeopleFixture, story: Story): Promise<string[]> => {
  const rows = await app.sql(
    `select envelope::jsonb as e from events where envelope::jsonb -> 'payload' ->> 'orderId' = $1
       or envelope::jsonb -> 'payload' ->> 'sourceId' = $1 order by position`,
    [story.orderId],
  );
  return rows.map(({ e }) => {
    const { escrowId: _, providerContractId: __, requestedBy: ___, ...payload } = e.payload;
    const timeless = Object.entries(payload).filter(([name]) => !name.endsWith('At'));
    return anonymous(JSON.stringify([e.eventType, timeless.sort()]), story);
  });
};

const auditOf = async ({ app }: PeopleFixture, { orderId }: Story): Promise<string[]> => {
  const [{ escrow_id: escrowId }] = await app.sql('select escrow_id from orders where id = $1', [orderId]);
  const rows = await app.sql('select action from audit_entries where resource_id in ($1, $2) order by seq', [
    orderId,
    escrowId,
  ]);
  return rows.map(({ action }) => action);
};

test('the same story on both surfaces leaves equal postings, events, audit entries and balances', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const a = await onA(fixture);
  const { buyer, seller, story: b } = await onB(fixture);

  const postings = await postingsOf(fixture, a);
  assert.ok(postings.length >= 8);
  assert.deepEqual(await postingsOf(fixture, b), postings);
  const events = await eventsOf(fixture, a);
  assert.ok(events.length >= 14);
  assert.deepEqual(await eventsOf(fixture, b), events);
  assert.deepEqual(await auditOf(fixture, b), await auditOf(fixture, a));

  const figures = async (userId: string): Promise<[string, string]> => {
    const { available, reserved } = (await fixture.app.call(`GET /users/${userId}/balance`)).body.data;
    return [available, reserved];
  };
  assert.deepEqual(await figures(b.buyerId), await figures(a.buyerId));
  assert.deepEqual(await figures(b.sellerId), await figures(a.sellerId));
  // 250.50 less 5 % is 237.975, and what is shown is cut off.
  assert.deepEqual(
    [await figures(b.buyerId), await figures(b.sellerId)],
    [
      ['749.50', '0.00'],
      ['237.97', '0.00'],
    ],
  );
  assert.deepEqual(
    [await fixture.balance(buyer), await fixture.balance(seller)],
    [
      [749.5, 0],
      [237.97, 0],
    ],
  );

  const order = (await fixture.app.call(`GET /orders/${b.orderId}`)).body.data.data;
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', 'RELEASED', 'RELEASED']);
  const proof = (await fixture.app.call('GET /audit/proof')).body.data;
  assert.equal(proof.holds, true);
});

test('what one surface books the other shows, entry by entry', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, story } = await toldOnB(fixture);
  const read = async (token: string) => (await fixture.done('GET /balances/transactions', { token })).transactions;
  const shown = (rows: Any[]) =>
    rows.map(({ type, amount, description }) => [type, amount, anonymous(description, story)]);
  assert.deepEqual(shown(await read(buyer.token)), [
    ['debit', 250.5, 'Reserved for ORDER'],
    ['credit', 1000, 'Credit'],
  ]);
  assert.deepEqual(shown(await read(seller.token)), [['credit', 237.97, 'Payment for order ORDER']]);
  await fixture.app.call(`POST /users/${seller.id}/balance/debit`, {
    body: { amount: '37.97', description: 'Paid out' },
  });
  assert.deepEqual(shown((await read(seller.token)).slice(0, 1)), [['debit', 37.97, 'Paid out']]);
  assert.deepEqual(await fixture.balance(seller), [200, 0]);
});

test('another marketplace sees none of these records', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const { story } = await toldOnB(fixture);
  const key = await fixture.app.key(['*'], 'mkt_elsewhere');
  assert.equal((await fixture.app.call(`GET /orders/${story.orderId}`, { key })).status, 404);
  assert.equal((await fixture.app.call(`GET /users/${story.buyerId}`, { key })).status, 404);
  const { data: entries } = (await fixture.app.call('GET /audit/logs', { key })).body.data;
  assert.deepEqual(
    entries.map(({ action }: Any) => action),
    ['API_KEY_CREATED'],
  );
});
