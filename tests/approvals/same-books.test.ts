// Random requests end in the same books with a rule and without one: once they are carried out at once, once each waits and is approved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertProof } from '../support/checks.ts';
import { type Any, openSharedApprovals } from './fixture.ts';

const RUNS = 4;
const USERS = 3;

type Step = {
  readonly user: number;
  readonly kind: 'credit' | 'debit' | 'deduct-reserved' | 'reserve';
  readonly cents: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  user: fc.nat(USERS - 1),
  kind: fc.constantFrom('credit', 'credit', 'debit', 'deduct-reserved', 'reserve'),
  cents: fc.integer({ min: 1, max: 5_000 }),
});

const RULES = [{ action: 'balance.credit', amountFrom: '10.00' }, { action: 'balance.debit' }];

type Opened = Awaited<ReturnType<typeof openSharedApprovals>>;

/** The status of each request, or of what its approval answered, and the balances afterwards. */
const play = async ({ app, decide, balance }: Opened, steps: readonly Step[]) => {
  const users: string[] = [];
  for (let made = 0; made < USERS; made++) users.push(await app.aUser());
  const seen: string[] = [];
  for (const { user, kind, cents } of steps) {
    const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
    const answer = await app.call(`POST /users/${users[user]}/balance/${kind}`, { body: { amount } });
    if (answer.status !== 202) {
      seen.push(`${answer.status} ${answer.body.error?.code ?? answer.body.data.available}`);
      continue;
    }
    const ended: Any = (await decide(answer.body.data.approval.id)).body.data;
    assert.equal(ended.status, 'APPROVED');
    seen.push(`200 ${ended.result.available}`);
  }
  return { seen, balances: await Promise.all(users.map((id) => balance(id))) };
};

test('random credits, debits and deductions end in the same books with a rule and without one', async (t) => {
  const plain = await openSharedApprovals(t);
  const ruled = await openSharedApprovals(t);
  await ruled.setRules(RULES);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      assert.deepEqual(await play(ruled, steps), await play(plain, steps));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  await assertProof(plain.app);
  await assertProof(ruled.app);
});
