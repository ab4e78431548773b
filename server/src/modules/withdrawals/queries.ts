// Reads of withdrawals: by the marketplace they belong to, and for whoever hears from the payment provider, which does not
// know of marketplaces. It only reads.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/table-sql.ts';
import { conditions, type PageAsk, type PageOf, readPage } from '../../postgres/page.ts';
import { WITHDRAWALS, type Withdrawal } from './withdrawal.ts';

export type WithdrawalFilter = {
  readonly userId?: string;
  readonly status?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

/** A withdrawal and where it is. */
export type PlacedWithdrawal = { readonly marketplaceId: string; readonly withdrawal: Withdrawal };

const COLUMNS = selected(WITHDRAWALS);
const SELECT = `select ${COLUMNS} from withdrawals t`;
const PLACED = `select t.marketplace_id as "marketplaceId", ${COLUMNS}`;

// No index begins with the id alone; asked for in each marketplace it is found by the key.
const BY_ID = `${PLACED} from marketplaces h
  join withdrawals t on t.marketplace_id = h.marketplace_id and t.id = $1 limit 1`;

const BY_PAYOUT = `${PLACED} from withdrawals t where t.provider_payout_id = $1 limit 1`;

// Those that wait for somebody else have been handed over; the others may have been left in the middle.
const COMMITTED = `${PLACED} from withdrawals t
  where t.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
    and t.status = 'WITHDRAWAL_COMMITTED' order by t.next_look_at limit $1`;

// By the clock that wrote the time: the database's own may be hours off.
const TO_EXPIRE = `${PLACED} from withdrawals t
  where t.status = 'WITHDRAWAL_CREATED' and t.created_at <= $3::timestamptz - make_interval(secs => $1 / 1000)
  order by t.created_at limit $2`;

type Row = Withdrawal & { marketplaceId: string };

const placed = ({ marketplaceId, ...withdrawal }: Row): PlacedWithdrawal => ({ marketplaceId, withdrawal });

export const createWithdrawalReads = (pool: pg.Pool) => {
  const listPlaced = async (text: string, values: unknown[]): Promise<PlacedWithdrawal[]> =>
    (await pool.query<Row>(text, values)).rows.map(placed);

  return {
    async find(marketplaceId: string, id: string): Promise<Withdrawal | null> {
      const values = [marketplaceId, id];
      const text = `${SELECT} where t.marketplace_id = $1 and t.id = $2`;
      return (await pool.query<Withdrawal>({ name: 'withdrawal', text, values })).rows[0] ?? null;
    },

    async list(ask: PageAsk & WithdrawalFilter): Promise<PageOf<Withdrawal>> {
      const { where, values } = conditions(ask.marketplaceId, [
        ['t.id < ?', ask.cursor],
        ['t.user_id = ?', ask.userId],
        ['t.status = ?', ask.status],
        ['t.created_at > ?', ask.createdAfter],
        ['t.created_at < ?', ask.createdBefore],
      ]);
      return readPage<Withdrawal>(pool, { select: SELECT, where, values, limit: ask.limit });
    },

    /** In whichever marketplace it is. */
    findAnywhere: async (id: string): Promise<PlacedWithdrawal | null> => (await listPlaced(BY_ID, [id]))[0] ?? null,

    findByPayout: async (payoutId: string): Promise<PlacedWithdrawal | null> =>
      (await listPlaced(BY_PAYOUT, [payoutId]))[0] ?? null,

    /** Of all marketplaces, those that a stopped server may have left in the middle. */
    listCommitted: (limit: number): Promise<PlacedWithdrawal[]> => listPlaced(COMMITTED, [limit]),

    /** Of all marketplaces, those that nobody has committed within the time; the oldest first. */
    listExpired: (expiryMs: number, limit: number): Promise<PlacedWithdrawal[]> =>
      listPlaced(TO_EXPIRE, [expiryMs, limit, formatInstant(systemClock())]),
  };
};

export type WithdrawalReads = ReturnType<typeof createWithdrawalReads>;
