// The routes of policies, by status, and the policy of a new order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { codeOf } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { openTrade } from './order-fixture.ts';
import { refusalOf } from './refusals.ts';

const UNKNOWN = 'pol_01J9ZQ8H7K5M3N2P4R6S8T0V1W';

const RULES = {
  cancelUnfundedAfter: 'P3D',
  autoReleaseAfter: 'P1W',
  remindBefore: ['P1D', 'PT1H30M'],
  dispute: { decideWithin: 'P14D', then: 'REFUND' },
  milestoneInspection: { within: 'PT36H', then: 'REMIND' },
  platformFee: { percent: '2.50', fixed: '0.30', min: '1.00', max: '50', categories: { books: { percent: '1' } } },
  allow: { refund: ['operator'], dispute: ['buyer', 'seller'] },
};

test('201 creates a policy; the same name again is the next version, and both are kept', async (t) => {
  const app = await openApp(t);
  const create = async (rules: object) => {
    const made = await app.call('POST /policies', { body: { name: 'standard', rules } });
    assert.equal(made.status, 201, made.text);
    return made.body.data;
  };
  const first = await create(RULES);
  assert.match(first.id, /^pol_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual([first.name, first.version, first.rules], ['standard', 1, RULES]);
  const second = await create({});
  assert.deepEqual([second.version, second.rules], [2, {}]);
  assert.notEqual(second.id, first.id);
  assert.deepEqual((await app.call(`GET /policies/${first.id}`)).body.data, first);
  const other = (await app.call('POST /policies', { body: { name: 'other', rules: {} } })).body.data;
  const listed = async (query: string) => (await app.call(`GET /policies${query}`)).body.data;
  assert.deepEqual((await listed('')).data, [other, second, first]);
  assert.deepEqual((await listed('?name=standard')).data, [second, first]);
  const page = await listed('?limit=2');
  assert.deepEqual([page.hasMore, (await listed(`?cursor=${page.nextCursor}`)).data], [true, [first]]);
});

test('400 names each field that is not valid', async (t) => {
  const app = await openApp(t);
  await app.call('GET /auth/me');
  const problems = async (rules: unknown, name: unknown = 'standard') => {
    const send = () => app.call('POST /policies', { body: { name, rules } });
    const { status, code, details } = await refusalOf(app, send);
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR']);
    return details.validationErrors.join('; ');
  };
  const durations = ['3 days', 'P1M', 'P1Y', 'P', 'PT', 'PT0S', 'P1DT', 'P1W1D', 'P3654D', '-P1D', 'P1.5D', 'p1d'];
  for (const text of durations) {
    const said = await problems({ autoReleaseAfter: text });
    assert.match(said, /^rules\.autoReleaseAfter must be an ISO 8601 duration/, text);
  }
  const cases: [unknown, RegExp][] = [
    [{ remindBefore: ['P1D', 'PT24H'] }, /rules\.remindBefore must not repeat a duration/],
    [
      { remindBefore: Array.from({ length: 6 }, (_, i) => `P${i + 1}D`) },
      /rules\.remindBefore must have at most 5 items/,
    ],
    [{ dispute: { decideWithin: 'P1D' } }, /rules\.dispute\.then is required/],
    [
      { dispute: { decideWithin: 'P1D', then: 'SPLIT' } },
      /rules\.dispute\.then must be one of RELEASE, REFUND, REMIND/,
    ],
    [{ milestoneInspection: { within: 'P1D', then: 'REFUND' } }, /rules\.milestoneInspection\.then must be one of/],
    [{ platformFee: { percent: '99.01' } }, /rules\.platformFee\.percent must be at most 99/],
    [{ platformFee: { percent: 5 } }, /rules\.platformFee\.percent must be a string/],
    [{ platformFee: { fixed: '-1.00' } }, /rules\.platformFee\.fixed must look like/],
    [{ platformFee: { min: '2.00', max: '1.00' } }, /rules\.platformFee\.min must not be more than/],
    [{ platformFee: { categories: { books: { percent: 'x' } } } }, /rules\.platformFee\.categories\.books\.percent/],
    [{ platformFee: { categories: { books: { min: '2', max: '1' } } } }, /categories\.books\.min must not be more/],
    [{ allow: { release: [] } }, /rules\.allow\.release must have at least 1 item/],
    [{ allow: { fund: ['buyer'] } }, /rules\.allow\.fund is not a known field/],
    [{ allow: { cancel: ['agent'] } }, /rules\.allow\.cancel\[0\] must be one of buyer, seller, operator/],
    [{ escalate: true }, /rules\.escalate is not a known field/],
    [null, /rules must be an object/],
  ];
  for (const [rules, said] of cases) assert.match(await problems(rules), said);
  const terms = { percent: '1', fixed: '99999999999.99', min: '0', max: '99999999999.99' };
  const names = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${'n'.repeat(60)}${i}`, terms]));
  assert.match(await problems({ platformFee: { categories: names } }), /rules must be at most 4096 bytes as JSON/);
  assert.match(await problems({}, 'pol_x'), /name must look like/);
  assert.match(await problems({}, ' '), /name must look like/);
});

test('401, 403 and 404 of policies', async (t) => {
  const app = await openApp(t);
  assert.equal(codeOf(await app.call(`GET /policies/${UNKNOWN}`)), '404 POLICY_NOT_FOUND');
  assert.equal(codeOf(await app.call('GET /policies', { key: null })), '401 UNAUTHORIZED');
  const key = await app.key(['read']);
  const body = { name: 'standard', rules: {} };
  assert.equal(codeOf(await app.call('POST /policies', { key, body })), '403 INSUFFICIENT_SCOPE');
});

test('another marketplace neither sees a policy nor takes it', async (t) => {
  const { app, anOrder } = await openTrade(t);
  const key = await app.key(['*'], 'mkt_elsewhere');
  const made = await app.call('POST /policies', { key, body: { name: 'theirs', rules: {} } });
  assert.equal(codeOf(await app.call(`GET /policies/${made.body.data.id}`)), '404 POLICY_NOT_FOUND');
  await assert.rejects(anOrder({ policy: made.body.data.id }), /POLICY_NOT_FOUND/);
  await assert.rejects(anOrder({ policy: 'theirs' }), /POLICY_NOT_FOUND/);
});

test('409 POLICY_LIMIT beyond the versions of a name and beyond the names', async (t) => {
  const app = await openApp(t);
  const create = (name: string) => app.call('POST /policies', { body: { name, rules: {} } });
  const count = LIMITS.policyVersions;
  const made = await Promise.all(Array.from({ length: count }, () => create('standard')));
  const versions = made.map(({ body }) => body.data.version).sort((a, b) => a - b);
  assert.deepEqual(
    versions,
    Array.from({ length: count }, (_, i) => i + 1),
  );
  const refused = await create('standard');
  assert.deepEqual([codeOf(refused), refused.body.error.details.limit], ['409 POLICY_LIMIT', count]);
  await Promise.all(Array.from({ length: LIMITS.policies - 1 }, (_, i) => create(`name ${i}`)));
  assert.equal(codeOf(await create('one too many')), '409 POLICY_LIMIT');
});

test('an order takes the newest version of a name, or a version by its id, and keeps it', async (t) => {
  const { app, anOrder, done } = await openTrade(t);
  const publish = (rules: object) => done('POST /policies', { body: { name: 'standard', rules } });
  const first = await publish(RULES);
  const order = await anOrder({ policy: 'standard' });
  const shown = { id: first.id, name: 'standard', version: 1 };
  assert.deepEqual(order.policy, shown);
  const second = await publish({});
  assert.deepEqual((await done(`GET /orders/${order.id}`)).policy, shown);
  assert.equal((await anOrder({ policy: 'standard' })).policy.version, 2);
  assert.equal((await anOrder({ policy: first.id })).policy.version, 1);
  assert.equal((await app.call('GET /orders')).body.data.data.at(-1).policy.id, first.id);
  assert.notEqual(second.id, first.id);
  const without = await anOrder();
  assert.deepEqual([without.policy, without.platformFee], [null, '5.00']);
});

test('404 POLICY_NOT_FOUND leaves no order', async (t) => {
  const { refused, buyerId, sellerId } = await openTrade(t);
  for (const policy of ['nothing', UNKNOWN]) {
    const body = { buyerId, sellerId, amount: '10.00', policy };
    assert.deepEqual(await refused('POST /orders', { body }), {
      status: 404,
      code: 'POLICY_NOT_FOUND',
      details: { policy },
    });
  }
});

test('the fee of an order is its own, or that of its category, or that of the policy', async (t) => {
  const { app, anOrder, done, refused, buyerId, sellerId } = await openTrade(t);
  const fees = async (orderId: string) =>
    (await app.sql('select platform_fee_bps as bps, fee_terms as terms from orders where id = $1', [orderId]))[0];
  await done('POST /policies', { body: { name: 'fees', rules: { platformFee: RULES.platformFee } } });
  await done('POST /policies', { body: { name: 'silent', rules: {} } });
  const terms = { fixedUnits: '3000000', minUnits: '10000000', maxUnits: '500000000' };
  const cases: [object, unknown][] = [
    [{ policy: 'fees' }, { bps: 250, terms }],
    [
      { policy: 'fees', metadata: { category: 'books' } },
      { bps: 100, terms: null },
    ],
    [
      { policy: 'fees', metadata: { category: 'cars' } },
      { bps: 250, terms },
    ],
    [
      { policy: 'fees', metadata: { category: 'constructor' } },
      { bps: 250, terms },
    ],
    [
      { policy: 'fees', metadata: { category: 'books', platformFee: 7 } },
      { bps: 700, terms: null },
    ],
    [{ policy: 'silent' }, { bps: 500, terms: null }],
  ];
  for (const [more, fee] of cases) assert.deepEqual(await fees((await anOrder(more)).id), fee, JSON.stringify(more));
  const body = { buyerId, sellerId, amount: '1.00', policy: 'fees' };
  const { status, code, details } = await refused('POST /orders', { body });
  assert.deepEqual([status, code, details.platformFee], [400, 'INVALID_AMOUNT', '1.00']);
  assert.equal((await anOrder({ ...body, amount: '1.01' })).status, 'ORDER_CREATED');
});
