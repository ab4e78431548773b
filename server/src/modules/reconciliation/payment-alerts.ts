// Alerts about payments that a person has to look at: top-ups that were paid late, and payouts over another amount. The rows of the
// payments say which alerts there have to be, so a crash loses none. An alert that was resolved is not shown again.

import type pg from 'pg';
import { type Amount, fromUnits } from '../../books/money.ts';
import { readAcross } from '../../postgres/answering.ts';
import { type Compared, createBreaks } from './breaks.ts';

/** It was credited, by the service or by hand. */
const IS_OVER = `(t.status = 'TOPUP_SUCCEEDED' or t.corrected_at is not null)`;

// A late top-up that was credited after its alert was shown needs no person any more.
const ALERTS = `select t.marketplace_id as "marketplaceId", 'late-topup' as kind, t.id as subject, t.status,
    ${IS_OVER} as "isOver", 0::bigint as expected, t.late_amount as actual
  from topups t left join breaks b on b.marketplace_id = t.marketplace_id and b.kind = 'late-topup' and b.subject = t.id
  where t.late_amount is not null and case when ${IS_OVER}
    then b.subject is not null and b.resolved_at is null else b.subject is null end
  union all
  select t.marketplace_id, 'payout-amount', t.id, t.status, false, t.amount, t.executed
  from withdrawals t where t.executed is not null and not exists (select 1 from breaks b
    where b.marketplace_id = t.marketplace_id and b.kind = 'payout-amount' and b.subject = t.id
      and b.last_seen_at >= t.completed_at)
  order by 1, 2, 3 limit 1000`;

type Alert = {
  readonly marketplaceId: string;
  readonly kind: 'late-topup' | 'payout-amount';
  readonly subject: string;
  readonly status: string;
  readonly isOver: boolean;
  readonly expected: Amount;
  readonly actual: Amount;
};

const reasonOf = ({ kind, status, expected, actual }: Alert): string => {
  if (kind === 'late-topup') {
    return `The top-up was ${status} when the payment was made. The user was not credited; the money is in operator:late-topups.`;
  }
  return actual > expected
    ? 'The payment provider paid more than the withdrawal. The operator bears the difference.'
    : 'The payment provider paid less than the withdrawal. The operator holds the difference for the user.';
};

type OfPayout = { readonly marketplaceId: string; readonly withdrawalId: string };

/** The provider has a payout that does not match its withdrawal, and it may still change. */
export type UnclearPayoutAlert = {
  see(unclear: OfPayout & Compared & { readonly reason: string }): Promise<void>;
  resolve(of: OfPayout): Promise<void>;
};

export const createUnclearPayoutAlert = (pool: pg.Pool): UnclearPayoutAlert => {
  const breaks = createBreaks(pool);
  const kind = 'payout-amount';
  return {
    see: ({ marketplaceId, withdrawalId: subject, reason: why, ...compared }) => {
      const reason = `The payment provider has a payout that does not match the withdrawal: ${why} The money stays reserved.`;
      return breaks.see({ marketplaceId, kind, subject, ...compared, reason });
    },
    resolve: ({ marketplaceId, withdrawalId: subject }) => breaks.resolve({ marketplaceId, kind, subject }),
  };
};

/** Stores the alerts that are missing, and resolves those that are over. */
export type ShowPaymentAlerts = () => Promise<void>;

export const createPaymentAlerts = (pool: pg.Pool): ShowPaymentAlerts => {
  const breaks = createBreaks(pool);
  return async () => {
    for (const row of await readAcross<Alert>(pool, { text: ALERTS })) {
      const { marketplaceId, kind, subject, isOver } = row;
      const id = { marketplaceId, kind, subject };
      const compared = { expected: fromUnits(row.expected), actual: fromUnits(row.actual) };
      if (isOver) await breaks.resolve(id);
      else await breaks.see({ ...id, ...compared, reason: reasonOf(row) });
    }
  };
};
