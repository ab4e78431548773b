// Reads of the payment float: what the books have at the payment provider. It only reads.

import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { floatOwed, paymentFloat } from '../../books/accounts.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import { FLOAT_OPENING } from './float-opening.ts';

const OPENED = 'select 1 from float_openings t where t.marketplace_id = $1 and t.id = $2';

// The provider pays a withdrawal only after it has named its payout.
const OPEN_PAYMENTS = `select exists (select 1 from topups t
    where t.status in ('TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'))
  or exists (select 1 from withdrawals w where w.provider_payout_id is not null
    and w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')) as some`;

const FLOATS = `select a.marketplace_id as "marketplaceId", -sum(a.balance)::bigint as amount
  from marketplaces m join accounts a on a.marketplace_id = m.marketplace_id and a.id = any($1)
  group by 1 order by 1`;

/** The owed amount was paid out of the same balance, so it counts against the held amount. */
export const FLOAT_ACCOUNTS = CURRENCIES.flatMap((currency) => [paymentFloat(currency).id, floatOwed(currency).id]);

export const createFloatReads = (pool: pg.Pool) => ({
  /** True when the balance that the provider held before our first payment is in the books. */
  async isOpened(): Promise<boolean> {
    const values = [FLOAT_OPENING.marketplaceId, FLOAT_OPENING.id];
    return (await pool.query({ name: 'float-opened', text: OPENED, values })).rows.length > 0;
  },

  /** True when the provider may complete a payment at any moment. */
  async hasOpenPayments(): Promise<boolean> {
    return (await pool.query<{ some: boolean }>(OPEN_PAYMENTS)).rows[0]!.some;
  },

  /** The float of each marketplace that has ever had money at the provider. */
  async floats(): Promise<{ marketplaceId: string; amount: Amount }[]> {
    const { rows } = await pool.query<{ marketplaceId: string; amount: bigint }>(FLOATS, [FLOAT_ACCOUNTS]);
    return rows.map(({ marketplaceId, amount }) => ({ marketplaceId, amount: fromUnits(amount) }));
  },
});

export type FloatReads = ReturnType<typeof createFloatReads>;
