// POST /disputes/{id}/resolve, by status. What is refused and changes nothing is asked about one dispute, which the first
// decision then ends. The 504 is in escrow-under-way.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Answer } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { INVALID_STATE, openTrade, type Row, type Trade, tradeIn, UNKNOWN } from './order-fixture.ts';

const assign = (trade: Trade, id: string): Promise<Row> =>
  trade.done(`POST /disputes/${id}/assign`, { body: { assignedTo: 'agent-7' } });

const opened = shareInFile(async (t) => {
  const trade = await openTrade(t, { sandbox: true, available: '1000.00' });
  const { id } = await trade.aDispute();
  return { trade, id };
});

/** The id of one that can be decided. */
const underReview = async (trade: Trade): Promise<string> => (await assign(trade, (await trade.aDispute()).id)).id;

const available = async ({ figures, buyerId, sellerId }: Trade): Promise<number[]> =>
  [(await figures(buyerId))[0], (await figures(sellerId))[0]].map(Number);

type Decided = {
  readonly body: { readonly decision: string; readonly note?: string } & Record<string, string>;
  /** The seller's part and the buyer's. */
  readonly parts: readonly string[];
  /** The final status of the order, and the status of its escrow. */
  readonly ends: readonly string[];
  /** What the buyer and the seller have more than before. */
  readonly gains: readonly number[];
};

/** Decides the dispute by what `ask` does and looks at the answer, the record, the order and the money. */
const assertDecided = async (
  trade: Trade,
  id: string,
  { body, parts, ends, gains }: Decided,
  ask: () => Promise<Answer>,
) => {
  const before = await available(trade);
  const answer = await ask();
  assert.equal(answer.status, 200, answer.text);
  const { status, resolutionDecision, decisionNote, sellerAmount, buyerAmount, resolvedAt, order } =
    answer.body.data.data;
  assert.deepEqual([status, resolutionDecision, decisionNote], ['RESOLVED', body.decision, body.note ?? null]);
  assert.deepEqual([sellerAmount, buyerAmount], parts);
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', ...ends]);
  assert.deepEqual([order.operation, order.dispute.resolvedAt], [null, resolvedAt]);
  assert.deepEqual(await trade.done(`GET /disputes/${id}`), answer.body.data.data);
  const after = await available(trade);
  assert.deepEqual(
    after.map((sum, place) => sum - before[place]!),
    gains,
  );
};

test('404 DISPUTE_NOT_FOUND for unknown ids and for disputes of another marketplace', async () => {
  const { trade, id } = opened();
  const other = await tradeIn(trade.app, { key: await trade.app.key(['*'], 'mkt_other') });
  await other.allRefused(async (refused) => {
    for (const each of [id, UNKNOWN.dispute, 'nonsense']) {
      const ask = { body: { decision: 'FULL_RELEASE' } };
      const { status, code } = await refused(`POST /disputes/${each}/resolve`, ask);
      assert.deepEqual([status, code], [404, 'DISPUTE_NOT_FOUND']);
    }
  });
});

test('400 INVALID_STATE while the dispute is unassigned', async () => {
  const { trade, id } = opened();
  const early = await trade.refused(`POST /disputes/${id}/resolve`, { body: { decision: 'FULL_REFUND' } });
  assert.deepEqual(early.details, { ...INVALID_STATE('OPEN', ['assign']).details, disputeId: id });
});

test('400 INVALID_AMOUNT for parts that are none, are missing, do not add up or do not fit the decision', async () => {
  const { trade, id } = opened();
  await assign(trade, id);
  const split = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' };
  await trade.allRefused(async (refused) => {
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
      const { status, code } = await refused(`POST /disputes/${id}/resolve`, { body });
      assert.deepEqual([status, code], [400, 'INVALID_AMOUNT'], JSON.stringify(body));
    }
  });
  assert.equal((await trade.done(`GET /disputes/${id}`)).status, 'UNDER_REVIEW');
});

test('200 for a full release and for a split that leaves the seller nothing: paid as decided, the order CLOSED', async () => {
  const { trade, id } = opened();
  const release = { body: { decision: 'FULL_RELEASE' }, parts: ['100.00', '0.00'], ends: ['RELEASED', 'RELEASED'] };
  await assertDecided(trade, id, { ...release, gains: [0, 95] }, () =>
    trade.app.call(`POST /disputes/${id}/resolve`, { body: release.body }),
  );
  const other = await underReview(trade);
  const body = { decision: 'SPLIT', seller_amount: '0.00', refund_amount: '100.00' };
  const split = { body, parts: ['0.00', '100.00'], ends: ['SPLIT', 'RELEASED'], gains: [100, 0] };
  await assertDecided(trade, other, split, () => trade.app.call(`POST /disputes/${other}/resolve`, { body }));
});

test('200 for a split; ten resolutions at once are one', async () => {
  const { trade } = opened();
  const id = await underReview(trade);
  const body = { decision: 'SPLIT', releaseAmount: '60.00', buyer_amount: '40.00', note: 'half done' };
  const split = { body, parts: ['60.00', '40.00'], ends: ['SPLIT', 'RELEASED'], gains: [40, 57] };
  await assertDecided(trade, id, split, async () => {
    const ask = () => trade.app.call(`POST /disputes/${id}/resolve`, { body });
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 9);
    for (const answer of refused) assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_STATE']);
    return answers.find(({ status }) => status === 200)!;
  });
});

test('200 for a full refund; a repeat with its Idempotency-Key gets the first answer byte for byte, a refusal too', async () => {
  const { trade } = opened();
  const id = await underReview(trade);
  const body = { decision: 'FULL_REFUND', refundAmount: '100' };
  const headers = { 'idempotency-key': randomUUID() };
  const ask = (more: object = {}) => trade.app.call(`POST /disputes/${id}/resolve`, { body, headers, ...more });
  const refund = { body, parts: ['0.00', '100.00'], ends: ['REFUNDED', 'REFUNDED'], gains: [100, 0] };
  await assertDecided(trade, id, refund, async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask()));
    const done = answers.filter(({ status }) => status === 200);
    const [first, ...more] = done.filter((answer) => answer.headers.get('idempotency-replay') === null);
    assert.equal(more.length, 0);
    for (const { text } of done) assert.equal(text, first!.text);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
    }
    const again = await ask();
    assert.deepEqual([again.status, again.text, again.headers.get('idempotency-replay')], [200, first!.text, 'true']);
    return first!;
  });
  const other = await trade.refused(`POST /disputes/${id}/resolve`, { body: { decision: 'FULL_RELEASE' }, headers });
  assert.deepEqual([other.status, other.code], [409, 'IDEMPOTENCY_KEY_REUSED']);

  assert.deepEqual(await trade.refused(`POST /disputes/${id}/resolve`, { body }), INVALID_STATE('RESOLVED', []));
  const late = { headers: { 'idempotency-key': randomUUID() } };
  const refusals = [await ask(late), await ask(late)];
  assert.deepEqual(
    refusals.map(({ status, headers: sent }) => [status, sent.get('idempotency-replay')]),
    [
      [400, null],
      [400, 'true'],
    ],
  );
  assert.equal(refusals[0]!.text, refusals[1]!.text);
});

test('400 VALIDATION_ERROR for a body that decides nothing', async () => {
  const { trade } = opened();
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
  await trade.allRefused(async (refused) => {
    for (const [body, sentence] of cases) {
      const ask = body === undefined ? {} : { body };
      const { status, code, details } = await refused(`POST /disputes/${UNKNOWN.dispute}/resolve`, ask);
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(body));
      assert.match(details.validationErrors[0], sentence);
    }
  });
});
