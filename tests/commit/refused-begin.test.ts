// PostgreSQL refuses to begin the transaction of a group, as after a cancel. None of its changes may be executed then: without a transaction they
// would be committed at once, and the group is decided again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { openFixture, openPlace, usd } from './fixture.ts';
import { interceptStatements, raise } from './intercept.ts';

const CANCELED = '57014';

for (const rows of ['memory', 'database'] as const) {
  test(`a group that is decided from the ${rows} is carried out once when its transaction was not begun`, async (t) => {
    const { connection, marketplaceId, user } = await openPlace(t);
    const userId = await user('1.00');
    let refused = 0;
    let isArmed = rows === 'database';
    const intercept = (client: pg.Client): void =>
      interceptStatements(client, async (label, send, first) => {
        if (!isArmed || !label.startsWith('begin')) return send();
        isArmed = false;
        refused++;
        if (label === 'begin') return send(raise(CANCELED));
        // The connection has forgotten the statement, so the message fails at its first part.
        await first(() => send('deallocate "begin"'));
        return send();
      });
    const fixture = await openFixture(t, { connection, marketplaceId, intercept });
    const credit = () => fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });
    // The first group of a committer needs queries.
    if (rows === 'memory') await credit();
    isArmed = true;
    await credit();
    assert.deepEqual([refused, fixture.seen.retries.length], [1, 1]);
    assert.equal(await fixture.available(userId), rows === 'memory' ? '3.00' : '2.00');
    await inspectBooks(fixture.pool, marketplaceId);
  });
}
