// GET and POST /projects: validation of numbers, the owner's list, and the status of a project.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Any, openSharedPeople, refused } from './people-fixture.ts';

const BODY = { title: 'Logo', description: 'Two drafts', budget: 250.5, currency: 'USDC' };

test('200 creates an open project with every field, and with defaults for optional fields', async (t) => {
  const { app, aPerson, call, done } = await openSharedPeople(t);
  const { id: userId, token } = await aPerson();
  const answer = await call('POST /projects', { token, body: BODY });
  assert.equal(answer.body.message, 'Project created successfully');
  const { id, created_at, ...rest } = answer.body.data;
  assert.match(id, /^prj_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(created_at, /^\d{4}-/);
  assert.deepEqual(rest, { ...BODY, status: 'open' });
  const least = await done('POST /projects', { token, body: { title: 'Least', budget: 1 } });
  assert.deepEqual([least.description, least.currency, least.budget], ['', 'USD', 1]);
  const { data } = (await app.call(`GET /audit/logs?userId=${userId}&action=PROJECT_CREATED`)).body.data;
  assert.equal(data.length, 2);
});

test('a budget is stored to the cent or refused: floating point never changes it', async (t) => {
  const { aPerson, call, app } = await openSharedPeople(t);
  const { token } = await aPerson();
  const good: [string, number, string][] = [
    ['0.01', 0.01, '100000'],
    ['0.1', 0.1, '1000000'],
    ['1.10', 1.1, '11000000'],
    ['100.000', 100, '1000000000'],
    ['1e2', 100, '1000000000'],
    ['1.005e3', 1005, '10050000000'],
    ['4.35', 4.35, '43500000'],
    ['8.29', 8.29, '82900000'],
    ['1234567.89', 1_234_567.89, '12345678900000'],
    ['99999999999.99', 99_999_999_999.99, '999999999999900000'],
  ];
  for (const [text, shown, units] of good) {
    const answer = await call('POST /projects', { token, body: `{"title":"t","budget":${text}}` });
    assert.equal(answer.status, 200, `${text}: ${answer.text}`);
    assert.equal(answer.body.data.budget, shown);
    const [row] = await app.sql('select budget::text from projects where id = $1', [answer.body.data.id]);
    assert.equal(row.budget, units, text);
  }
});

test('422 for a budget that is not positive, has more than two places, is too large or is not a number', async (t) => {
  const { aPerson, call, app } = await openSharedPeople(t);
  const { id, token } = await aPerson();
  const positive = 'Budget must be positive';
  const places = 'Budget must have at most two decimal places';
  const large = 'Budget is too large';
  const cases: [string, string][] = [
    ['0', positive],
    ['-0', positive],
    ['0.00', positive],
    ['-5', positive],
    ['-0.01', positive],
    ['-1e999', positive],
    ['0.001', places],
    ['10.005', places],
    ['0.1234567', places],
    ['1e-7', places],
    ['99999999999.995', places],
    ['100000000000', large],
    ['1e21', large],
    ['1e400', large],
    ['"100"', 'Budget must be a number'],
    ['"NaN"', 'Budget must be a number'],
    ['true', 'Budget must be a number'],
    ['[1]', 'Budget must be a number'],
    ['null', 'Budget is required'],
  ];
  for (const [text, error] of cases) {
    const answer = await call('POST /projects', { token, body: `{"title":"t","budget":${text}}` });
    assert.deepEqual(refused(answer), { status: 422, message: 'Validation failed', errors: [error] }, text);
  }
  assert.equal(refused(await call('POST /projects', { token, body: '{"title":"t","budget":NaN}' })).status, 400);
  assert.deepEqual(await app.sql('select id from projects where owner_id = $1', [id]), []);
});

test('422 names every invalid field', async (t) => {
  const { anyPerson, call } = await openSharedPeople(t);
  const { token } = await anyPerson();
  const answer = await call('POST /projects', {
    token,
    body: { title: '', budget: -1, currency: 'EUR', colour: 'red' },
  });
  assert.deepEqual(refused(answer), {
    status: 422,
    message: 'Validation failed',
    errors: [
      'Title is required',
      'Budget must be positive',
      'Currency must be one of USD, USDC, XLM',
      'colour is not a known field',
    ],
  });
  assert.deepEqual(refused(await call('POST /projects', { token, body: { budget: 5 } })).errors, ['Title is required']);
});

test("the list has only the caller's projects, newest first, in pages", async (t) => {
  const { aPerson, aProject, done, call } = await openSharedPeople(t);
  const ada = await aPerson();
  const eve = await aPerson();
  const made: Any[] = [];
  for (const n of [1, 2, 3, 4, 5]) made.unshift(await aProject(ada, { title: `P${n}` }));
  await aProject(eve, { title: 'Not hers' });
  const read = (query: string) => done(`GET /projects${query}`, { token: ada.token });
  assert.deepEqual(await read(''), { projects: made, pagination: { page: 1, limit: 20, total: 5, pages: 1 } });
  assert.deepEqual(await read('?limit=2&page=3'), {
    projects: made.slice(4),
    pagination: { page: 3, limit: 2, total: 5, pages: 3 },
  });
  assert.deepEqual((await read('?page=9')).projects, []);
  assert.equal((await done('GET /projects', { token: eve.token })).pagination.total, 1);
  assert.equal((await call('GET /projects?limit=100', { token: ada.token })).status, 200);
  assert.deepEqual(refused(await call('GET /projects?limit=101', { token: ada.token })).errors, [
    'Limit must be a whole number from 1 to 100',
  ]);
});

test('project ids of the same moment cannot be guessed from each other', async (t) => {
  const { aPerson, aProject } = await openSharedPeople(t);
  const ada = await aPerson();
  const made = await Promise.all(Array.from({ length: 20 }, () => aProject(ada)));
  const random = new Set(made.map(({ id }) => id.slice(14, 22)));
  assert.equal(random.size, made.length);
});

const statusOf = async ({ done }: Awaited<ReturnType<typeof openSharedPeople>>, token: string): Promise<string> =>
  (await done('GET /projects', { token })).projects[0].status;

test('the status follows the order, whichever surface moves it: funded, disputed, resolved', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const { app, done } = fixture;
  const { buyer, projectId } = await fixture.aFundedEscrow();
  assert.equal(await statusOf(fixture, buyer.token), 'in_progress');
  const [{ order_id: orderId }] = await app.sql('select order_id from projects where id = $1', [projectId]);
  const body = { orderId, openedBy: 'BUYER', reason: 'OTHER' };
  const dispute = (await app.call(`POST /orders/${orderId}/resolution/dispute`, { body })).body.data.data;
  assert.equal(await statusOf(fixture, buyer.token), 'in_progress');
  await app.call(`POST /disputes/${dispute.id}/assign`, { body: { assignedTo: 'agent' } });
  const split = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' };
  assert.equal((await app.call(`POST /disputes/${dispute.id}/resolve`, { body: split })).status, 200);
  assert.equal(await statusOf(fixture, buyer.token), 'completed');
  assert.equal((await done('GET /projects', { token: buyer.token })).projects.length, 1);
});

test('a refund on Surface A cancels the project, and its money is available again', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const { buyer, projectId } = await fixture.aFundedEscrow();
  const [{ order_id: orderId }] = await fixture.app.sql('select order_id from projects where id = $1', [projectId]);
  const refund = await fixture.app.call(`POST /orders/${orderId}/resolution/refund`, {
    body: { reason: 'Called off' },
  });
  assert.equal(refund.status, 200, refund.text);
  assert.equal(await statusOf(fixture, buyer.token), 'cancelled');
  assert.deepEqual(await fixture.balance(buyer), [1000, 0]);
});
