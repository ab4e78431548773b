// POST /disputes/{id}/resolve, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { disputeIn, INVALID_STATE, NOBODY, openShop, type Row, type Shop, shopIn } from './order-ground.ts';

/** One that can be decided. */
const underReview = async (shop: Shop): Promise<Row> => {
  const { id } = await disputeIn(shop);
  return shop.done(`POST /disputes/${id}/assign`, { body: { assignedTo: 'agent-7' } });
};

const resolve = (shop: Shop, { id }: Row, body: object) => shop.app.call(`POST /disputes/${id}/resolve`, { body });

test('200 for each decision: paid as decided, the dispute RESOLVED and its order CLOSED', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const cases: [body: object, parts: string[], ends: string[], seller: string][] = [
    [{ decision: 'FULL_RELEASE' }, ['100.00', '0.00'], ['RELEASED', 'RELEASED'], '95.00'],
    [{ decision: 'FULL_REFUND', refundAmount: '100' }, ['0.00', '100.00'], ['REFUNDED', 'REFUNDED'], '95.00'],
    [
      { decision: 'SPLIT', releaseAmount: '60.00', buyer_amount: '40.00', note: 'half done' },
      ['60.00', '40.00'],
      ['SPLIT', 'RELEASED'],
      '152.00',
    ],
    [
      { decision: 'SPLIT', seller_amount: '0.00', refund_amount: '100.00' },
      ['0.00', '100.00'],
      ['SPLIT', 'RELEASED'],
      '152.00',
    ],
  ];
  for (const [body, parts, ends, seller] of cases) {
    const { id } = await underReview(shop);
    const answer = await resolve(shop, { id }, body);
    assert.equal(answer.status, 200, answer.text);
    const { status, resolutionDecision, decisionNote, sellerAmount, buyerAmount, resolvedAt, order } =
      answer.body.data.data;
    const { decision, note = null } = body as { decision: string; note?: string };
    assert.deepEqual([status, resolutionDecision, decisionNote], ['RESOLVED', decision, note]);
    assert.deepEqual([sellerAmount, buyerAmount], parts);
    assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', ...ends]);
    assert.deepEqual([order.operation, order.dispute.resolvedAt], [null, resolvedAt]);
    assert.deepEqual(await shop.done(`GET /disputes/${id}`), answer.body.data.data);
    assert.equal((await shop.figures(shop.sellerId))[0], seller);
  }
  assert.deepEqual(await shop.figures(), ['340.00', '0.00']);
});

test('400 INVALID_STATE while nobody has taken it up, and once it is resolved', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const { id } = await disputeIn(shop);
  const ask = { body: { decision: 'FULL_REFUND' } };
  const early = await shop.refused(`POST /disputes/${id}/resolve`, ask);
  assert.deepEqual(early.details, { ...INVALID_STATE('OPEN', ['assign']).details, disputeId: id });
  await shop.done(`POST /disputes/${id}/assign`, { body: { assignedTo: 'agent-7' } });
  await shop.done(`POST /disputes/${id}/resolve`, ask);
  assert.deepEqual(await shop.refused(`POST /disputes/${id}/resolve`, ask), INVALID_STATE('RESOLVED', []));
  assert.deepEqual(await shop.figures(), ['500.00', '0.00']);
});

test('400 INVALID_AMOUNT for parts that are none, are missing, do not add up or do not fit the decision', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const { id } = await underReview(shop);
  const split = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' };
  for (const body of [
    { decision: 'SPLIT' },
    { decision: 'SPLIT', releaseAmount: '60.00' },
    { decision: 'SPLIT', refundAmount: '100.00' },
    { ...split, refundAmount: '40.01' },
    { ...split, refundAmount: '39.99' },
    { ...split, refundAmount: '-40.00' },
    { ...split, refundAmount: '40.001' },
    { ...split, refundAmount: '' },
    { ...split, decision: 'FULL_RELEASE' },
    { decision: 'FULL_REFUND', refundAmount: '99.00' },
  ]) {
    const { status, code } = await shop.refused(`POST /disputes/${id}/resolve`, { body });
    assert.deepEqual([status, code], [400, 'INVALID_AMOUNT'], JSON.stringify(body));
  }
  assert.equal((await shop.done(`GET /disputes/${id}`)).status, 'UNDER_REVIEW');
});

test('a repeat with its Idempotency-Key gets the first answer byte for byte, a refusal too', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const { id } = await underReview(shop);
  const body = { decision: 'FULL_REFUND' };
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => shop.app.call(`POST /disputes/${id}/resolve`, { body, headers })),
  );
  const done = answers.filter(({ status }) => status === 200);
  const [first, ...more] = done.filter((answer) => answer.headers.get('idempotency-replay') === null);
  assert.equal(more.length, 0);
  for (const { text } of done) assert.equal(text, first!.text);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
  }
  const again = await shop.app.call(`POST /disputes/${id}/resolve`, { body, headers });
  assert.deepEqual([again.status, again.text, again.headers.get('idempotency-replay')], [200, first!.text, 'true']);
  const other = await shop.refused(`POST /disputes/${id}/resolve`, { body: { decision: 'FULL_RELEASE' }, headers });
  assert.deepEqual([other.status, other.code], [409, 'IDEMPOTENCY_KEY_REUSED']);

  const late = { body, headers: { 'idempotency-key': randomUUID() } };
  const refusals = [
    await shop.app.call(`POST /disputes/${id}/resolve`, late),
    await shop.app.call(`POST /disputes/${id}/resolve`, late),
  ];
  assert.deepEqual(
    refusals.map(({ status, headers: sent }) => [status, sent.get('idempotency-replay')]),
    [
      [400, null],
      [400, 'true'],
    ],
  );
  assert.equal(refusals[0]!.text, refusals[1]!.text);
  assert.deepEqual(await shop.figures(), ['500.00', '0.00']);
});

test('ten resolutions at once are one', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const dispute = await underReview(shop);
  const decide = () => resolve(shop, dispute, { decision: 'FULL_REFUND' });
  const answers = await Promise.all(Array.from({ length: 10 }, decide));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 9);
  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [400, 'INVALID_STATE']);
  assert.deepEqual(await shop.figures(), ['500.00', '0.00']);
});

test('400 VALIDATION_ERROR for a body that decides nothing', async (t) => {
  const { refused } = await openShop(t);
  const cases: [object | undefined, RegExp][] = [
    [undefined, /^The body is required/],
    [{}, /^decision is required$/],
    [{ decision: 'MAYBE' }, /^decision must be one of FULL_RELEASE, FULL_REFUND, SPLIT$/],
    [{ decision: 'SPLIT', releaseAmount: 60, refundAmount: '40.00' }, /^releaseAmount must be a string$/],
    [
      { decision: 'SPLIT', releaseAmount: '60.00', sellerAmount: '60.00' },
      /^releaseAmount and sellerAmount are the same/,
    ],
    [{ decision: 'FULL_RELEASE', note: '' }, /^note must not be empty$/],
    [{ decision: 'FULL_RELEASE', reason: 'x' }, /^reason is not a known field$/],
  ];
  for (const [body, sentence] of cases) {
    const ask = body === undefined ? {} : { body };
    const { status, code, details } = await refused(`POST /disputes/${NOBODY.dispute}/resolve`, ask);
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(body));
    assert.match(details.validationErrors[0], sentence);
  }
});

test('404 DISPUTE_NOT_FOUND for ids nobody has and for disputes of another marketplace', async (t) => {
  const shop = await openShop(t, { sandbox: true });
  const { id } = await underReview(shop);
  const other = await shopIn(shop.app, { key: await shop.app.key(['*'], 'mkt_other') });
  for (const each of [id, NOBODY.dispute, 'nonsense']) {
    const ask = { body: { decision: 'FULL_RELEASE' } };
    const { status, code } = await other.refused(`POST /disputes/${each}/resolve`, ask);
    assert.deepEqual([status, code], [404, 'DISPUTE_NOT_FOUND']);
  }
});

test('401 without a key, and 403 with one that cannot judge', async (t) => {
  const { app, refused } = await openShop(t);
  const body = { decision: 'FULL_RELEASE' };
  assert.equal((await refused(`POST /disputes/${NOBODY.dispute}/resolve`, { key: null, body })).status, 401);
  const key = await app.key(['read', 'write']);
  const { status, details } = await refused(`POST /disputes/${NOBODY.dispute}/resolve`, { key, body });
  assert.deepEqual([status, details.requiredScope], [403, 'support']);
});
