// A property of the float: whatever happens to withdrawals, and in any order, the float promises what the open ones need.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount } from '../../server/src/books/money.ts';
import { proveBooks } from '../../server/src/books/proof.ts';
import { setCreditLine } from '../../server/src/modules/float/set-credit-line.ts';
import { applyPayout } from '../../server/src/modules/withdrawals/apply-payout.ts';
import { commitWithdrawal } from '../../server/src/modules/withdrawals/commit-withdrawal.ts';
import { createWithdrawal } from '../../server/src/modules/withdrawals/create-withdrawal.ts';
import { expireWithdrawal, failWithdrawal } from '../../server/src/modules/withdrawals/end-withdrawal.ts';
import type { PayoutUpdate } from '../../server/src/modules/withdrawals/payout-update.ts';
import { randomOf } from '../../tools/simulation/random.ts';
import { type Fixture, MARKETPLACE, openFixture, replyOf, usd } from '../commit/fixture.ts';

const STEPS = 120;
const LINE = '500.00';

const PROMISED = `select coalesce((select pending_payouts from floats where marketplace_id = $1), 0)::text as promised,
    coalesce(sum(amount - paid) filter (where status in ('WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED',
      'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')), 0)::text as open
  from withdrawals where marketplace_id = $1`;

const REPORTS = [
  'WITHDRAWAL_PENDING',
  'WITHDRAWAL_PENDING_USER_ACTION',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_FAILED',
  'WITHDRAWAL_CANCELED',
] as const;

const updateOf = (status: PayoutUpdate['status'], amount: PayoutUpdate['amount']): PayoutUpdate => ({
  status,
  payoutId: null,
  amount,
  isAmountCertain: false,
  currency: null,
  fee: null,
  reason: null,
  errorCode: null,
  actionUrl: null,
});

/** Carries out one random command; a refusal is an outcome like any other. */
const stepper = (fixture: Fixture, { userId, seed }: { userId: string; seed: number }) => {
  const random = randomOf(seed, 'float promises');
  const made: { readonly id: string; readonly amount: ReturnType<typeof usd> }[] = [];
  const create = async (): Promise<void> => {
    const amount = usd(`${random.int(1, 120)}.00`);
    const destination = { destinationType: 'bank', destinationRef: null, address: null, email: 'a@b.example' } as const;
    const input = { userId, amount, currency: 'USD', walletId: null, commit: random.is(50), ...destination } as const;
    made.push(replyOf(await fixture.submit(createWithdrawal, { ...input, payeeLinkedAt: null, isFloatOpened: true })));
  };
  return async (): Promise<void> => {
    const one = made.length === 0 ? undefined : random.pick(made);
    if (!one || random.is(40)) return create();
    const withdrawalId = one.id;
    const update = updateOf(random.pick(REPORTS), one.amount);
    const steps = [
      () => fixture.submit(commitWithdrawal, { withdrawalId }),
      () => fixture.submit(expireWithdrawal, { withdrawalId, expiryMs: 0 }),
      () => fixture.submit(failWithdrawal, { withdrawalId, reason: 'No.', code: null }),
      () => fixture.submit(applyPayout, { withdrawalId, update }),
      () => fixture.submit(applyPayout, { withdrawalId, update }),
    ];
    await random.pick(steps)();
  };
};

for (const seed of [1, 2, 3]) {
  test(`the float promises what the open withdrawals need, after every step (seed ${seed})`, async (t) => {
    const fixture = await openFixture(t);
    const userId = await fixture.user('100000.00');
    await fixture.submit(setCreditLine, { amount: usd(LINE) });
    const step = stepper(fixture, { userId, seed });
    let refused = 0;
    for (let i = 0; i < STEPS; i++) {
      await step().catch(() => {
        refused++;
      });
      const { rows } = await fixture.pool.query(PROMISED, [MARKETPLACE]);
      assert.equal(rows[0].promised, rows[0].open, `after step ${i}`);
    }
    assert.ok(refused > 0, `some steps exceed the credit line of ${formatAmount(usd(LINE))}`);
    assert.equal((await proveBooks(fixture.pool, MARKETPLACE)).holds, true);
  });
}
