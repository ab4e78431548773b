// Reads of the payment float: the amounts that the books have at the payment provider, and the payments that are open there. It only
// reads.

import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { floatOwed, paymentFloat } from '../../books/accounts.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import { FLOAT_OPENING } from './open-float.ts';

const OPENED = 'select 1 from float_openings t where t.marketplace_id = $1 and t.id = $2';

// The provider pays a withdrawal only after it has named its payout.
const OPEN_PAYMENTS = `select exists (select 1 from topups t
    where t.status in ('TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'))
  or exists (select 1 from withdrawals w where w.provider_payout_id is not null
    and w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')) as some`;

const FLOATS = `select a.marketplace_id as "marketplaceId", -sum(a.balance)::bigint as amount
  from marketplaces m join accounts a on a.marketplace_id = m.marketplace_id and a.id = any($1)
  group by 1 order by 1`;

/** A payment that may be completed at the provider before it is in the books. `fee`: only the provider's fee is missing in the books. */
export type OpenPayment = {
  readonly kind: 'payin' | 'fee' | 'payout';
  readonly id: string;
  readonly providerId: string | null;
  readonly amount: Amount;
};

/** The payment provider's balance in the books, and the open payments, at one moment. */
export type FloatPosition = {
  readonly floats: readonly { readonly marketplaceId: string; readonly amount: Amount }[];
  /** The number of postings: the same number means that nothing moved. */
  readonly postings: bigint;
  readonly open: readonly OpenPayment[];
};

// One statement, so that no payment is both open and booked. The fee of a top-up is polled within six hours of its success, so only
// the fees of younger top-ups are still missing. The provider pays only payouts whose id it has returned to us.
const FLOAT_POSITION = `select 'books' as kind, a.marketplace_id as id, null as "providerId",
    -sum(a.balance)::bigint as amount, sum(a.postings)::bigint as postings
  from marketplaces m join accounts a on a.marketplace_id = m.marketplace_id and a.id = any($1) group by 2
  union all
  select 'payin', t.id, t.provider_payin_id, t.amount, 0 from topups t
    where t.status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
  union all
  select 'fee', t.id, t.provider_payin_id, t.amount, 0 from topups t
    where t.status = 'TOPUP_SUCCEEDED' and t.fee is null and t.updated_at > $2::timestamptz - interval '7 hours'
  union all
  select 'payout', w.id, w.provider_payout_id, w.amount, 0 from withdrawals w
    where w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
      and w.provider_payout_id is not null
  order by 1, 2`;

type FloatRow = { kind: OpenPayment['kind'] | 'books'; id: string; providerId: string | null; amount: bigint } & {
  postings: bigint;
};

/** The owed amount was paid out of the same balance, so it counts against the held amount. */
const FLOAT_ACCOUNTS = CURRENCIES.flatMap((currency) => [paymentFloat(currency).id, floatOwed(currency).id]);

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

  /** The float of each marketplace that has ever had money at the provider, with the payments that may be completed there already. */
  async floatPosition(): Promise<FloatPosition> {
    const { rows } = await pool.query<FloatRow>(FLOAT_POSITION, [FLOAT_ACCOUNTS, formatInstant(systemClock())]);
    const books = rows.filter(({ kind }) => kind === 'books');
    return {
      floats: books.map(({ id, amount }) => ({ marketplaceId: id, amount: fromUnits(amount) })),
      postings: books.reduce((sum, { postings }) => sum + postings, 0n),
      open: rows.flatMap(({ kind, id, providerId, amount }) =>
        kind === 'books' ? [] : [{ kind, id, providerId, amount: fromUnits(amount) }],
      ),
    };
  },
});

export type FloatReads = ReturnType<typeof createFloatReads>;
