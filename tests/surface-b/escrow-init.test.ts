// POST /escrow/init, by status and message: its effect, its callers, and that a refusal leaves no trace. escrow-init.long.test.ts has
// the rare answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../support/app.ts';
import { openSharedPeople, type PeopleFixture, refused } from './people-fixture.ts';

const UNKNOWN = { project: 'prj_01ARZ3NDEKTSV4RRFFQ69G5FAV', user: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV' };

const TABLES = [
  'orders',
  'escrows',
  'operations',
  'reservations',
  'projects',
  'accounts',
  'postings',
  'events',
  'audit_entries',
];

/** The refusal, which must leave no trace. */
const refusalIn = async ({ app }: PeopleFixture, ask: () => Promise<Answer>) => {
  const texts = TABLES.map(
    (table) => `(select md5(string_agg(r::text, ';' order by r::text)) from ${table} r) as ${table}`,
  );
  const look = async () => (await app.sql(`select ${texts.join(', ')}`))[0];
  const before = await look();
  const found = refused(await ask());
  assert.deepEqual(await look(), before, 'a refusal leaves no trace');
  return found;
};

/** A buyer with a project of 500.00 and so much money, and a seller. */
const openProject = async (fixture: PeopleFixture, available = '1000.00') => {
  const buyer = await fixture.aPerson(available);
  const seller = await fixture.aPerson();
  const { id: projectId } = await fixture.aProject(buyer);
  return { buyer, seller, projectId };
};

test("200 funds the escrow from the balance of the project owner, without a token and with the owner's token", async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, projectId } = await openProject(fixture);
  const answer = await fixture.call('POST /escrow/init', {
    body: fixture.initBody(projectId, seller.id, { amount: 120.5 }),
  });
  assert.equal(answer.body.message, 'Escrow initialized successfully');
  const { escrow_id, created_at, ...rest } = answer.body.data;
  assert.match(escrow_id, /^esc_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(created_at, /^\d{4}-/);
  assert.deepEqual(rest, {
    project_id: projectId,
    buyer_id: buyer.id,
    seller_id: seller.id,
    amount: 120.5,
    currency: 'USD',
    status: 'funded',
  });
  assert.deepEqual(await fixture.balance(buyer), [879.5, 120.5]);
  const second = await fixture.aProject(buyer);
  const own = await fixture.done('POST /escrow/init', {
    token: buyer.token,
    body: fixture.initBody(second.id, seller.id),
  });
  assert.equal(own.status, 'funded');
});

test('422 when a field is missing or unknown, or the amount is invalid', async (t) => {
  const fixture = await openSharedPeople(t);
  const { seller, projectId } = await openProject(fixture);
  const body = fixture.initBody(projectId, seller.id);
  const cases: [object, string[]][] = [
    [{}, ['Project id is required', 'Seller id is required', 'Amount is required', 'Currency is required']],
    [{ ...body, buyer_id: seller.id }, ['buyer_id is not a known field']],
    [{ ...body, currency: undefined }, ['Currency is required']],
    [{ ...body, currency: 'EUR' }, ['Currency must be one of USD, USDC, XLM']],
    [{ ...body, amount: 0 }, ['Amount must be positive']],
    [{ ...body, amount: -1 }, ['Amount must be positive']],
    [{ ...body, amount: 1.005 }, ['Amount must have at most two decimal places']],
    [{ ...body, amount: 1e12 }, ['Amount is too large']],
    [{ ...body, amount: '100.00' }, ['Amount must be a number']],
  ];
  for (const [asked, errors] of cases) {
    const found = await refusalIn(fixture, () => fixture.call('POST /escrow/init', { body: asked }));
    assert.deepEqual(found, { status: 422, message: 'Validation failed', errors });
  }
});

test('400 and 404 for a request that does not fit the project, without a trace', async (t) => {
  const fixture = await openSharedPeople(t);
  const { buyer, seller, projectId } = await openProject(fixture);
  const body = fixture.initBody(projectId, seller.id);
  const cases: [object, number, string][] = [
    [{ ...body, project_id: UNKNOWN.project }, 404, 'Project not found'],
    [{ ...body, project_id: 'x' }, 404, 'Project not found'],
    [{ ...body, seller_id: UNKNOWN.user }, 400, 'Seller not found'],
    [{ ...body, seller_id: 'x' }, 400, 'Seller not found'],
    [{ ...body, seller_id: buyer.id }, 400, 'The buyer cannot be the seller'],
    [{ ...body, currency: 'XLM' }, 400, "The currency must be the project's"],
    [{ ...body, amount: 500.01 }, 400, 'The amount exceeds the budget of the project'],
  ];
  for (const [asked, status, message] of cases) {
    assert.deepEqual(await refusalIn(fixture, () => fixture.call('POST /escrow/init', { body: asked })), {
      status,
      message,
    });
  }
});

test('400 "Insufficient balance to fund escrow": money in another currency does not count, and no trace is left', async (t) => {
  const fixture = await openSharedPeople(t);
  const { buyer, seller, projectId } = await openProject(fixture, '99.99');
  await fixture.credit(buyer.id, '1000.00', 'USDC');
  const body = fixture.initBody(projectId, seller.id);
  assert.deepEqual(await refusalIn(fixture, () => fixture.call('POST /escrow/init', { body })), {
    status: 400,
    message: 'Insufficient balance to fund escrow',
  });
  assert.deepEqual(await fixture.balance(buyer), [99.99, 0]);
});

test('400 for a suspended buyer and for a suspended seller', async (t) => {
  const fixture = await openSharedPeople(t);
  const { buyer, seller, projectId } = await openProject(fixture);
  for (const { id } of [buyer, seller]) {
    await fixture.app.call(`POST /users/${id}/suspend`);
    const body = fixture.initBody(projectId, seller.id);
    const { status, message } = await refusalIn(fixture, () => fixture.call('POST /escrow/init', { body }));
    assert.equal(status, 400);
    assert.match(message, /is suspended/);
    await fixture.app.call(`POST /users/${id}/reactivate`);
  }
});

test('401 for a token of another person, and for an invalid token', async (t) => {
  const fixture = await openSharedPeople(t);
  const { seller, projectId } = await openProject(fixture);
  const body = fixture.initBody(projectId, seller.id);
  const foreign = await refusalIn(fixture, () => fixture.call('POST /escrow/init', { token: seller.token, body }));
  assert.deepEqual(foreign, { status: 401, message: 'Only the owner of the project can fund its escrow' });
  const none = { status: 401, message: 'Missing or invalid authorization token' };
  const key = await fixture.app.key(['*']);
  for (const token of ['nonsense', `${seller.token}x`, key]) {
    assert.deepEqual(await refusalIn(fixture, () => fixture.call('POST /escrow/init', { token, body })), none);
  }
  const basic = { authorization: 'Basic YTpi' };
  assert.deepEqual(await refusalIn(fixture, () => fixture.call('POST /escrow/init', { headers: basic, body })), none);
});
