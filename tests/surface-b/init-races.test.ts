// Many who set up escrows at once: on one project, on one balance, through one server and through two. Exactly one funds.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Answer } from '../support/app.ts';
import { openPeople, type PeopleStand, refused } from './people-stand.ts';

const EXISTS = { status: 400, message: 'The project already has an escrow' };
const TOO_LITTLE = { status: 400, message: 'Insufficient balance to fund escrow' };

const onlyOne = (answers: readonly Answer[], other: { status: number; message: string }): Answer => {
  const good = answers.filter(({ status }) => status === 200);
  assert.equal(good.length, 1, answers.map(({ text }) => text).join('\n'));
  for (const answer of answers.filter(({ status }) => status !== 200)) assert.deepEqual(refused(answer), other);
  return good[0]!;
};

/** What is left of it all: live orders, contracts with money, and the books. */
const counts = async ({ app, twin }: PeopleStand) => {
  const [row] = await app.sql(`select
    (select count(*)::int from orders where status <> 'CLOSED') as live,
    (select count(*)::int from orders) as orders,
    (select count(*)::int from operations where state = 'RUNNING') as running`);
  const { contracts } = await twin('GET /state');
  const proof = (await app.call('GET /audit/proof')).body.data;
  assert.equal(proof.holds, true, JSON.stringify(proof));
  return { ...row, contracts: contracts.length };
};

test('the same init ten times at once on one project: one funds, the others hear that there is one', async (t) => {
  const stand = await openPeople(t, { sandbox: true });
  const [buyer, seller] = [await stand.person('1000.00'), await stand.person()];
  const { id } = await stand.project(buyer);
  const body = stand.initBody(id, seller.id);
  const answers = await Promise.all(Array.from({ length: 10 }, () => stand.call('POST /escrow/init', { body })));
  onlyOne(answers, EXISTS);
  assert.deepEqual(await stand.balance(buyer), [900, 100]);
  assert.deepEqual(await counts(stand), { live: 1, orders: 1, running: 0, contracts: 1 });
});

test('different inits at once on one project: one funds, with its own terms', async (t) => {
  const stand = await openPeople(t, { sandbox: true });
  const buyer = await stand.person('1000.00');
  const sellers = await Promise.all([stand.person(), stand.person(), stand.person()]);
  const { id } = await stand.project(buyer);
  const answers = await Promise.all(
    sellers.map((seller, n) =>
      stand.call('POST /escrow/init', { body: stand.initBody(id, seller.id, { amount: 10 + n }) }),
    ),
  );
  const { data } = onlyOne(answers, EXISTS).body;
  const place = sellers.findIndex(({ id: sellerId }) => sellerId === data.seller_id);
  assert.equal(data.amount, 10 + place);
  assert.deepEqual(await stand.balance(buyer), [1000 - data.amount, data.amount]);
});

test('projects that share one balance: it is spent once, and the others leave nothing reserved', async (t) => {
  const stand = await openPeople(t, { sandbox: true });
  const [buyer, seller] = [await stand.person('150.00'), await stand.person()];
  const projects = await Promise.all(Array.from({ length: 5 }, () => stand.project(buyer)));
  const answers = await Promise.all(
    projects.map(({ id }) => stand.call('POST /escrow/init', { body: stand.initBody(id, seller.id) })),
  );
  onlyOne(answers, TOO_LITTLE);
  assert.deepEqual(await stand.balance(buyer), [50, 100]);
  const { live, running, contracts } = await counts(stand);
  assert.deepEqual({ live, running, contracts }, { live: 1, running: 0, contracts: 1 });
  // Those that lost are open, and can be funded as soon as there is money.
  await stand.credit(buyer.id, '100.00');
  const lost = projects.filter((_, n) => answers[n]!.status !== 200);
  assert.equal(
    (await stand.done('POST /escrow/init', { body: stand.initBody(lost[0].id, seller.id) })).status,
    'funded',
  );
});

/** A second server on the database and the twins of the first. */
const openBeside = async (t: TestContext, { app, twin }: PeopleStand): Promise<PeopleStand> => {
  const { escrowFactories } = await twin('GET /state');
  const env = {
    ESCROW_PROVIDER_URL: `${app.sandboxUrl}/escrow-provider`,
    LEDGER_URL: `${app.sandboxUrl}/ledger`,
    ESCROW_FACTORY_SINGLE: escrowFactories['single-release'],
    ESCROW_FACTORY_MULTI: escrowFactories['multi-release'],
    ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
  };
  return openPeople(t, { env, connection: app.connection });
};

test('the same init through two servers on one database: one funds', async (t) => {
  const first = await openPeople(t, { sandbox: true });
  const second = await openBeside(t, first);
  const [buyer, seller] = [await first.person('1000.00'), await second.person()];
  const { id } = await second.project(buyer);
  const body = first.initBody(id, seller.id);
  const ask = (n: number) => (n % 2 === 0 ? first : second).call('POST /escrow/init', { body });
  onlyOne(await Promise.all(Array.from({ length: 8 }, (_, n) => ask(n))), EXISTS);
  assert.deepEqual(await second.balance(buyer), [900, 100]);
  assert.deepEqual(await counts(first), { live: 1, orders: 1, running: 0, contracts: 1 });
});

test('one balance through two servers: it is spent once', async (t) => {
  const first = await openPeople(t, { sandbox: true });
  const second = await openBeside(t, first);
  const [buyer, seller] = [await first.person('150.00'), await first.person()];
  const projects = await Promise.all(Array.from({ length: 6 }, () => first.project(buyer)));
  const ask = (project: { id: string }, n: number) =>
    (n % 2 === 0 ? first : second).call('POST /escrow/init', { body: first.initBody(project.id, seller.id) });
  onlyOne(await Promise.all(projects.map(ask)), TOO_LITTLE);
  assert.deepEqual(await first.balance(buyer), [50, 100]);
});
