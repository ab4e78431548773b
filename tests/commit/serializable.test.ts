// Several committers on one database have the same outcome as one committer, also for decisions on rows that other committers
// write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../../server/src/base/domain-error.ts';
import { adjustments, available } from '../../server/src/books/accounts.ts';
import { command } from '../../server/src/commit/command.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { openAnotherCommitter, openPlace, usd } from './fixture.ts';

type Pair = { readonly mine: string; readonly theirs: string };

const FLOOR = usd('100.00');
const STEP = usd('10.00');

/** Debits one account if the sum of both stays at FLOOR or above. Snapshot isolation alone would let two debits break this. */
const debitIfTogetherEnough = command<Pair, void>({
  name: 'debit-if-together-enough',
  needs: ({ mine, theirs }) => ({ accounts: [available(mine, 'USD'), available(theirs, 'USD'), adjustments('USD')] }),
  decide({ mine, theirs }, work) {
    const own = work.balance(available(mine, 'USD'));
    const other = work.balance(available(theirs, 'USD'));
    if (own < STEP || own + other - STEP < FLOOR) throw new DomainError('INSUFFICIENT_FUNDS');
    work.post({ from: available(mine, 'USD'), to: adjustments('USD'), amount: STEP, move: 'debit' });
    const shown = (units: bigint): string => `${units / 10_000_000n}.00`;
    work.emit({
      type: 'balance.debited',
      aggregateId: mine,
      payload: {
        userId: mine,
        amount: shown(STEP),
        currency: 'USD',
        destination: 'manual',
        previousAvailableBalance: shown(own),
        newAvailableBalance: shown(own - STEP),
      },
    });
    work.audit({ action: 'BALANCE_DEBITED', resourceType: 'Balance', resourceId: mine });
  },
});

test('commands that read each other’s accounts never break the condition that each of them checks', async (t) => {
  const one = await openPlace(t);
  const fixtures = [one, await openAnotherCommitter(t, one), await openAnotherCommitter(t, one)];
  const a = await one.user('100.00');
  const b = await one.user('100.00');
  for (let round = 0; round < 10; round++) {
    const attempts = fixtures.flatMap((fixture) =>
      Array.from({ length: 10 }, (_, i) =>
        fixture.submit(debitIfTogetherEnough, i % 2 === 0 ? { mine: a, theirs: b } : { mine: b, theirs: a }),
      ),
    );
    const settled = await Promise.allSettled(attempts);
    const bugs = settled.flatMap((s) =>
      s.status === 'rejected' && !(s.reason instanceof DomainError) ? [s.reason] : [],
    );
    assert.deepEqual(bugs, []);
    assert.equal(
      settled.filter(({ status }) => status === 'fulfilled').length,
      10,
      'exactly the covered debits succeed',
    );
    const together = Number(await one.available(a)) + Number(await one.available(b));
    assert.equal(together, 100);
    const lacking = async (userId: string) => 100 - Number(await one.available(userId));
    for (const userId of [a, b]) {
      const missing = await lacking(userId);
      if (missing === 0) continue;
      await one.submit(creditBalance, { userId, currency: 'USD', amount: usd(`${missing}.00`) });
    }
  }
  await inspectBooks(one.pool, one.marketplaceId);
});
