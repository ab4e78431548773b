// Outlooks of one marketplace, as many as it can send, do not refuse the previews of another one; and an outlook of many steps is small.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPolicies } from '../policies/fixture.ts';

/** More than run and wait, and each sends again at once, so that the queue stays full. */
const FLOOD = 80;
const PREVIEWS = 10;
const STEPS = 66;
/** A whole order in each of its steps would be more than ten times this. */
const BYTES_MAX = 64 * 1_024;

const RULES = {
  autoReleaseAfter: 'P30D',
  milestoneInspection: { within: 'P20D', then: 'REMIND' },
  remindBefore: ['P1D', 'P2D', 'P3D', 'P4D', 'P5D'],
};

type Row = { readonly kind: string; readonly status: string };

const shown = ({ deadlines }: { readonly deadlines: readonly Row[] }): string[] =>
  deadlines.map(({ kind, status }) => `${kind} ${status}`);

test('a flood of outlooks of one marketplace leaves the previews of another one their turn', async (t) => {
  const { governed, done, app } = await openPolicies(t);
  const { id, milestones } = await governed(RULES, { at: 'IN_PROGRESS', milestones: 10 });
  for (const { ref } of milestones) await done(`POST /orders/${id}/milestones/${ref}/complete`);
  const outlook = () => app.call(`GET /orders/${id}/outlook`);
  const { text, body } = await outlook();
  const { steps, more } = body.data;
  assert.deepEqual([steps.length, more], [STEPS, false]);
  assert.ok(text.length < BYTES_MAX, `${text.length} bytes`);
  // A reminder changes itself only; the release at the end closes the order.
  const reminder = steps[0].preview.reply;
  assert.deepEqual([reminder.id, reminder.status, reminder.finalStatus], [id, 'IN_PROGRESS', null]);
  assert.deepEqual(Object.keys(reminder).sort(), ['deadlines', 'finalStatus', 'id', 'status']);
  assert.deepEqual(shown(reminder), ['reminder DONE']);
  const release = steps.at(-1).preview.reply;
  assert.deepEqual([release.status, release.finalStatus, release.escrow.status], ['CLOSED', 'RELEASED', 'RELEASED']);
  assert.deepEqual([shown(release), 'metadata' in release], [['auto_release DONE'], false]);

  const key = await app.key(['*'], 'mkt_other');
  const other = await app.aUser({ key });
  const answers: Awaited<ReturnType<typeof outlook>>[] = [];
  let isOver = false;
  const flood = Array.from({ length: FLOOD }, async () => {
    while (!isOver) answers.push(await outlook());
  });
  const statuses: number[] = [];
  for (let sent = 0; sent < PREVIEWS; sent++) {
    const headers = { 'dry-run': 'true' };
    const answer = await app.call(`POST /users/${other}/balance/credit`, { body: { amount: '1.00' }, key, headers });
    statuses.push(answer.status);
  }
  isOver = true;
  await Promise.all(flood);
  assert.deepEqual([...new Set(statuses)], [200]);
  const refused = answers.filter((answer) => answer.status !== 200);
  assert.ok(refused.length > 0 && refused.length < answers.length, `${refused.length} were refused`);
  for (const answer of refused) assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1']);
});
