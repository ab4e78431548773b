// Reads of alerts: pages for callers, and in all marketplaces the open ones and those whose e-mail is due. It only reads.

import type { SystemAlertKind, SystemAlertStatus } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { ALERTS, type Alert, type PlacedAlert } from './alert.ts';

const COLUMNS = selected(ALERTS);
const SELECT = `select ${COLUMNS} from alerts t`;

const OPEN = `select t.marketplace_id as "marketplaceId", t.id, t.kind, t.subject from alerts t where t.closed_at is null`;

const MAIL_DUE = `select t.marketplace_id as "marketplaceId", ${COLUMNS} from alerts t
  where t.opened_mail = 'DUE' or t.closed_mail = 'DUE' order by t.marketplace_id, t.id limit $1`;

const COUNT = 'select kind, count(*)::integer as count from alerts where closed_at is null group by kind';

const ONLY = { OPEN: 't.closed_at is null', CLOSED: 't.closed_at is not null' } as const;

type AlertFilter = { readonly status?: SystemAlertStatus; readonly kind?: SystemAlertKind };

export type OpenAlert = Pick<PlacedAlert, 'marketplaceId' | 'id' | 'kind' | 'subject'>;

export const createAlertReads = (pool: pg.Pool) => ({
  async list(request: PageRequest & AlertFilter): Promise<PageOf<Alert>> {
    const { where, values } = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      ['t.kind = ?', request.kind],
    ]);
    const status = request.status === undefined ? '' : ` and ${ONLY[request.status]}`;
    return readPage<Alert>(pool, { select: SELECT, where: `${where}${status}`, values, limit: request.limit });
  },

  /** Of all marketplaces. */
  async listOpen(): Promise<OpenAlert[]> {
    return readAcross<OpenAlert>(pool, { text: OPEN });
  },

  /** Of all marketplaces; the alerts of a marketplace are adjacent, oldest first. */
  async listMailDue(limit: number): Promise<PlacedAlert[]> {
    return readAcross<PlacedAlert>(pool, { text: MAIL_DUE, values: [limit] });
  },

  /** Open alerts of all marketplaces by kind, for metrics. */
  async countOpen(): Promise<{ kind: SystemAlertKind; count: number }[]> {
    return (await pool.query<{ kind: SystemAlertKind; count: number }>(COUNT)).rows;
  },
});

export type AlertReads = ReturnType<typeof createAlertReads>;
