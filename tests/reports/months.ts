// Books with fees and costs in several months: what a fee report and a closing of them must show.

import type { TestContext } from 'node:test';
import {
  available,
  contractHolding,
  networkFees,
  orderEscrow,
  paymentFloat,
  platformFees,
  reserved,
  walletHolding,
} from '../../server/src/books/accounts.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { command } from '../../server/src/commit/command.ts';
import { sealClosings } from '../../server/src/modules/closings/jobs.ts';
import { createClosingReads } from '../../server/src/modules/closings/queries.ts';
import { createJournal } from '../../server/src/modules/exports/journal.ts';
import { openHistory } from '../archives/fixture.ts';
import { usd } from '../commit/fixture.ts';

const USD = 'USD' as const;
const ADDRESS = 'GA2C5RFPE6GCKMY3US5PAB6UZLKIGSPIUKSLRB6Q723BM2OARMDUYEJ5';
const CONTRACT = 'CA2C5RFPE6GCKMY3US5PAB6UZLKIGSPIUKSLRB6Q723BM2OARMDUYEJ5';

/** A deposit and a top-up, an order that is paid with a fee of which a part returns, and what all of it costs. */
const trade = command<{ readonly userId: string; readonly orderId: string }, null>({
  name: 'trade-of-a-test',
  needs: ({ userId, orderId }) => ({
    rows: [],
    accounts: [
      available(userId, USD),
      reserved(userId, USD),
      orderEscrow(orderId, USD),
      platformFees(USD),
      networkFees(USD),
      paymentFloat(USD),
      walletHolding(ADDRESS, USD),
      contractHolding(CONTRACT, USD),
    ],
  }),
  decide({ userId, orderId }, work) {
    const parties = { userId, orderId, currency: USD, address: ADDRESS, contractId: CONTRACT, reference: orderId };
    work.move('deposit', { ...parties, amount: usd('100.00') });
    work.move('topup', { ...parties, amount: usd('20.00') });
    work.move('payment_fee', { ...parties, amount: usd('0.30') });
    work.move('reserve', { ...parties, amount: usd('40.00') });
    work.move('fund_escrow', { ...parties, amount: usd('40.00') });
    work.move('contract_funding', { ...parties, amount: usd('40.00') });
    work.move('network_fee', { ...parties, amount: fromUnits(100n) });
    work.move('platform_fee', { ...parties, amount: usd('2.00') });
    work.move('platform_fee_reversal', { ...parties, amount: usd('0.50') });
    work.audit({ action: 'BALANCE_CREDITED', resourceType: 'Balance', resourceId: userId, userId, after: { orderId } });
    return null;
  },
});

/** The fees of one trade: earned 2.00, reversed 0.50, network 0.00001, provider 0.30. */
export const openTrades = async (t: TestContext, days: readonly string[]) => {
  const history = await openHistory(t);
  const { pool, marketplaceId, folder: dir, committer } = history;
  history.at(days[0]!.slice(0, 7), 1);
  const userId = await history.user();
  for (const [number, day] of days.entries()) {
    history.at(day.slice(0, 7), Number(day.slice(8)));
    await history.submit(trade as never, { userId, orderId: `ord_${number}` } as never, {});
  }
  const reads = createClosingReads(pool);
  const journal = createJournal({ pool, dir, inTurn: (_, read) => read(), windowEntries: 5n });
  const seal = (now: string): Promise<void> => {
    history.at(now.slice(0, 7), Number(now.slice(8, 10)));
    const marketplaces = async () => [marketplaceId];
    return sealClosings({
      submit: committer.submit,
      reads,
      journal,
      marketplaces,
      now: () => now,
    }).run() as Promise<void>;
  };
  return { history, pool, marketplaceId, reads, journal, seal };
};

/** Makes the sealed rows what an earlier version has stored: without costs and without assets. */
export const asSealedBefore = `update closings c set
    currencies = (select coalesce(jsonb_agg(e - 'costs' - 'assets'), '[]') from jsonb_array_elements(c.currencies) e),
    days = (select coalesce(jsonb_agg(jsonb_set(d, '{currencies}',
      (select coalesce(jsonb_agg(e - 'costs' - 'assets'), '[]') from jsonb_array_elements(d->'currencies') e))), '[]')
      from jsonb_array_elements(c.days) d)
  where c.marketplace_id = $1`;
