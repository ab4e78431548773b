// Counts open work, each kind by an index and up to a bound. It only reads.

import { OPEN_WORK_COUNTED_MAX, type OpenWorkKind } from '@holdfast/contract/api/reports.ts';
import type pg from 'pg';

type OpenWorkItem = { readonly kind: OpenWorkKind; readonly count: number; readonly oldestAt: string | null };

type OpenWork = { readonly asOf: string; readonly items: readonly OpenWorkItem[] };

type Source = { readonly kind: OpenWorkKind; readonly from: string; readonly since?: string; readonly by?: string };

// Ids sort by time, so the oldest item is always counted.
const SOURCES: readonly Source[] = [
  { kind: 'disputes_open', from: `disputes t where t.status = 'OPEN'` },
  { kind: 'disputes_under_review', from: `disputes t where t.status = 'UNDER_REVIEW'` },
  {
    kind: 'breaks_open',
    from: 'breaks t where t.resolved_at is null',
    since: 't.first_seen_at',
    by: 't.first_seen_at',
  },
  { kind: 'operations_running', from: `operations t where t.state = 'RUNNING'` },
  { kind: 'operations_stuck', from: `operations t where t.state = 'RUNNING' and t.attempts > 0` },
  { kind: 'withdrawals_created', from: `withdrawals t where t.status = 'WITHDRAWAL_CREATED'` },
  { kind: 'withdrawals_committed', from: `withdrawals t where t.status = 'WITHDRAWAL_COMMITTED'` },
  { kind: 'withdrawals_pending', from: `withdrawals t where t.status = 'WITHDRAWAL_PENDING'` },
  {
    kind: 'withdrawals_pending_user_action',
    from: `withdrawals t where t.status = 'WITHDRAWAL_PENDING_USER_ACTION'`,
  },
  { kind: 'topups_created', from: `topups t where t.status = 'TOPUP_CREATED'` },
  {
    kind: 'topups_awaiting_user_confirmation',
    from: `topups t where t.status = 'TOPUP_AWAITING_USER_CONFIRMATION'`,
  },
  { kind: 'topups_processing', from: `topups t where t.status = 'TOPUP_PROCESSING'` },
];

const countSql = ({ kind, from, since = 't.created_at', by = 't.id' }: Source): string =>
  `select '${kind}' as kind, count(*)::integer as count, min(w.since) as "oldestAt", now() as "asOf" from (
    select ${since} as since from ${from} and t.marketplace_id = $1 order by ${by} limit ${OPEN_WORK_COUNTED_MAX}) w`;

const COUNTS = SOURCES.map(countSql).join('\nunion all ');

export const createOpenWorkReads = (pool: pg.Pool) => ({
  /** One statement, so all counts are of the same moment. */
  async count(marketplaceId: string): Promise<OpenWork> {
    const { rows } = await pool.query<OpenWorkItem & { asOf: string }>(COUNTS, [marketplaceId]);
    return { asOf: rows[0]!.asOf, items: rows.map(({ kind, count, oldestAt }) => ({ kind, count, oldestAt })) };
  },
});

export type OpenWorkReads = ReturnType<typeof createOpenWorkReads>;
