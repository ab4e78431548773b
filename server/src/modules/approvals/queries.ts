// Reads of approvals and their rules, and the deletion of decided ones after their retention.

import type { ApprovalAction, ApprovalStatus } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/tables.ts';
import type { DueRequest } from '../../jobs/due-timer.ts';
import { readAcross } from '../../postgres/answering.ts';
import {
  byIndex,
  byPair,
  type CreatedBetween,
  conditions,
  createdBetween,
  type PageOf,
  type PageRequest,
  readPage,
} from '../../postgres/page.ts';
import { APPROVALS, type Approval, type ApprovalPlace } from './approval.ts';
import { type ApprovalRule, RULES_ID } from './rules.ts';

const SELECT = `select ${selected(APPROVALS)} from approvals t`;

const FIND = `${SELECT} where t.marketplace_id = $1 and t.id = $2`;

const RULES = 'select rules from approval_rules where marketplace_id = $1 and id = $2';

const DUE = `select t.marketplace_id as "marketplaceId", t.id, t.expires_at as "at" from approvals t
  where t.status = 'PENDING' and t.expires_at <= $1 and (t.expires_at, t.id) > ($2, $3) order by t.expires_at, t.id limit $4`;

const TO_RESUME = `select t.marketplace_id as "marketplaceId", t.id as "approvalId" from approvals t
  where t.status = 'APPROVING' and t.resume_at <= $2 order by t.resume_at limit $1`;

// Those that wait are few, and their index has only them.
const WAITING = `select t.marketplace_id as "marketplaceId", t.id, t.action, t.created_at as "createdAt" from approvals t
  where t.status = 'PENDING' and t.created_at < $1 order by t.created_at limit $2`;

const FIGURES = `select count(*)::integer as pending, min(t.created_at) as oldest from approvals t where t.status = 'PENDING'`;

const TRIM = `delete from approvals where marketplace_id = $1 and id = any(array(
    select t.id from approvals t where t.marketplace_id = $1 and t.status not in ('PENDING', 'APPROVING')
      and t.updated_at < $2 order by t.updated_at limit $3))`;

export type WaitingApproval = {
  readonly marketplaceId: string;
  readonly id: string;
  readonly action: ApprovalAction;
  readonly createdAt: string;
};

type ApprovalFilter = CreatedBetween & {
  readonly status?: ApprovalStatus;
  readonly action?: ApprovalAction;
  readonly requestedBy?: string;
};

const REQUESTER = "(t.requested_by ->> 'id')";

const ofState = ({ status, action, requestedBy }: ApprovalFilter) => {
  if (action !== undefined && status !== undefined && requestedBy === undefined)
    return [byPair(['t.action', action], ['t.status', status])];
  if (requestedBy !== undefined && status !== undefined)
    // A third filter is compared with the few that the pair finds.
    return [byPair([REQUESTER, requestedBy], ['t.status', status]), ['t.action = ?', action, null] as const];
  if (requestedBy !== undefined && action !== undefined)
    return [byPair([REQUESTER, requestedBy], ['t.action', action])];
  return [byIndex('t.status', status), byIndex('t.action', action), byIndex(REQUESTER, requestedBy)];
};

export type DueApproval = { readonly marketplaceId: string; readonly id: string; readonly at: string };

export const createApprovalReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, id: string): Promise<Approval | null> {
    return (await pool.query<Approval>(FIND, [marketplaceId, id])).rows[0] ?? null;
  },

  list(request: PageRequest & ApprovalFilter): Promise<PageOf<Approval>> {
    const filtered = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      ...ofState(request),
      ...createdBetween('approval', request),
    ]);
    return readPage<Approval>(pool, { select: SELECT, ...filtered, limit: request.limit });
  },

  async rulesOf(marketplaceId: string): Promise<readonly ApprovalRule[]> {
    const { rows } = await pool.query<{ rules: ApprovalRule[] }>(RULES, [marketplaceId, RULES_ID]);
    return rows[0]?.rules ?? [];
  },

  /** Of all marketplaces, earliest first. */
  listDue({ until, after, limit }: DueRequest): Promise<DueApproval[]> {
    const values = [until, after?.at ?? '-infinity', after?.id ?? '', limit];
    return readAcross<DueApproval>(pool, { text: DUE, values });
  },

  /** Being carried out, and left by their server. Compared with the server's clock, which wrote the times. */
  listToResume(limit: number): Promise<ApprovalPlace[]> {
    return readAcross<ApprovalPlace>(pool, { text: TO_RESUME, values: [limit, formatInstant(systemClock())] });
  },

  /** All that are being carried out. */
  listOpen(limit: number): Promise<ApprovalPlace[]> {
    return readAcross<ApprovalPlace>(pool, { text: TO_RESUME, values: [limit, 'infinity'] });
  },

  /** Waiting since before a time, of all marketplaces, oldest first. */
  listWaiting({ before, limit }: { before: string; limit: number }): Promise<WaitingApproval[]> {
    return readAcross<WaitingApproval>(pool, { text: WAITING, values: [before, limit] });
  },

  /** Of all marketplaces, for metrics. */
  async figures(): Promise<{ pending: number; oldest: string | null }> {
    return (await pool.query<{ pending: number; oldest: string | null }>(FIGURES)).rows[0]!;
  },
});

export type ApprovalReads = ReturnType<typeof createApprovalReads>;

/** One batch of each marketplace. Returns the number of deleted approvals. */
export const trimApprovals = async (pool: pg.Pool, options: { olderThan: string; batch: number }): Promise<number> => {
  const rows = await readAcross<{ marketplace_id: string }>(pool, { text: 'select marketplace_id from marketplaces' });
  let trimmed = 0;
  for (const { marketplace_id } of rows) {
    const values = [marketplace_id, options.olderThan, options.batch];
    trimmed += (await pool.query({ name: 'trim-approvals', text: TRIM, values })).rowCount ?? 0;
  }
  return trimmed;
};
