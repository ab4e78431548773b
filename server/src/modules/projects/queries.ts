// Reads of projects, each with the status of its escrow's order.

import type { ProjectStatus } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import type { Order } from '../orders/order.ts';
import { type LeftProject, PROJECTS, type Project, projectStatus } from './project.ts';

export type ProjectView = { readonly project: Project; readonly status: ProjectStatus };

type Row = Project & { orderStatus: Order['status'] | null; finalStatus: Order['finalStatus'] };

type ListRequest = {
  readonly marketplaceId: string;
  readonly ownerId: string;
  readonly offset: number;
  readonly limit: number;
};

const FIND = `select ${selected(PROJECTS)} from ${byIds('projects')}`;

const LIST = `select ${selected(PROJECTS)}, o.status as "orderStatus", o.final_status as "finalStatus" from projects t
  left join orders o on o.marketplace_id = t.marketplace_id and o.id = t.order_id
  where t.marketplace_id = $1 and t.owner_id = $2 order by t.created_at desc, t.id desc offset $3 limit $4`;

const COUNT = 'select count(*)::text as total from projects where marketplace_id = $1 and owner_id = $2';

/**
 * Orders without an operation and without a claim. In random order, so that a few that cannot continue do not block the rest.
 * Compared with the server's clock, which wrote the claim: the database's clock may be hours off. No claim lasts an hour, so a
 * later time was written before the clock was set back.
 */
const LEFT = `select t.marketplace_id as "marketplaceId", t.id as "projectId", t.owner_id as "ownerId",
    t.order_id as "orderId"
  from projects t join orders o on o.marketplace_id = t.marketplace_id and o.id = t.order_id
  where t.order_id is not null and t.answered_at is null and (t.claimed_until is null or t.claimed_until < $2 or t.claimed_until > $2::timestamptz + interval '1 hour')
    and o.operation_id is null and o.status in ('ORDER_CREATED', 'FUNDS_RESERVED', 'ESCROW_FUNDING')
  order by random() limit $1`;

const REFUSED = `select exists (
    select 1 from escrows where marketplace_id = $1 and order_id = $2 and set_aside
  ) as refused`;

const ORDER_OF_ESCROW = 'select order_id as "orderId" from escrows where marketplace_id = $1 and id = $2';

const viewOf = ({ orderStatus, finalStatus, ...project }: Row): ProjectView => ({
  project,
  status: projectStatus(orderStatus === null ? null : { status: orderStatus, finalStatus }),
});

export const createProjectReads = (pool: pg.Pool) => ({
  find: shareReads<Project>(pool, { text: FIND }),

  async list({ marketplaceId, ownerId, offset, limit }: ListRequest): Promise<{ rows: ProjectView[]; total: number }> {
    const counted = await pool.query<{ total: string }>(COUNT, [marketplaceId, ownerId]);
    const total = Number(counted.rows[0]?.total ?? 0);
    if (offset >= total) return { rows: [], total };
    const { rows } = await pool.query<Row>(LIST, [marketplaceId, ownerId, offset, limit]);
    return { rows: rows.map(viewOf), total };
  },

  /** Reads the projects of all marketplaces. */
  async listLeft(limit: number): Promise<LeftProject[]> {
    return readAcross<LeftProject>(pool, { text: LEFT, values: [limit, formatInstant(systemClock())] });
  },

  async wasRefused(marketplaceId: string, orderId: string): Promise<boolean> {
    const { rows } = await pool.query<{ refused: boolean }>(REFUSED, [marketplaceId, orderId]);
    return rows[0]?.refused === true;
  },

  async orderOfEscrow(marketplaceId: string, escrowId: string): Promise<string | null> {
    const { rows } = await pool.query<{ orderId: string }>(ORDER_OF_ESCROW, [marketplaceId, escrowId]);
    return rows[0]?.orderId ?? null;
  },
});

export type ProjectReads = ReturnType<typeof createProjectReads>;
