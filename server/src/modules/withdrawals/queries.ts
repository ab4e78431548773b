// Reads of withdrawals: by marketplace, and in all marketplaces for jobs and for reports of the payment provider, which does not know
// marketplaces. It only reads.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/tables.ts';
import { findAcross, readAcross } from '../../postgres/answering.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { byIndex, conditions, createdBetween, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { WITHDRAWALS, type Withdrawal } from './withdrawal.ts';

type WithdrawalFilter = {
  readonly userId?: string;
  readonly status?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

/** A withdrawal and its marketplace. */
export type PlacedWithdrawal = { readonly marketplaceId: string; readonly withdrawal: Withdrawal };

const COLUMNS = selected(WITHDRAWALS);
const SELECT = `select ${COLUMNS} from withdrawals t`;
const PLACED = `select t.marketplace_id as "marketplaceId", ${COLUMNS}`;

// No index begins with the id alone. Joined with each marketplace, the primary key finds it.
const BY_ID = `${PLACED} from marketplaces h
  join withdrawals t on t.marketplace_id = h.marketplace_id and t.id = $1 limit 1`;

const BY_PAYOUT = `${PLACED} from withdrawals t where t.provider_payout_id = $1 limit 1`;

// The payer has a pending withdrawal already; a committed one may be unfinished. The longer list of states makes the index usable.
const COMMITTED = `${PLACED} from withdrawals t
  where t.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
    and t.status = 'WITHDRAWAL_COMMITTED' order by t.next_look_at limit $1`;

// By our clock, which wrote the time: the database's clock may be hours off.
const TO_EXPIRE = `${PLACED} from withdrawals t
  where t.status = 'WITHDRAWAL_CREATED' and t.created_at <= $3::timestamptz - make_interval(secs => $1 / 1000)
  order by t.created_at limit $2`;

// Between the commitment and the payment the service is at work, then the payment provider. The longer list of states makes the index
// usable.
const STUCK = `select t.marketplace_id as "marketplaceId", t.id, t.committed_at as "committedAt" from withdrawals t
  where t.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
    and t.committed_at < case t.status when 'WITHDRAWAL_COMMITTED' then $1::timestamptz
      when 'WITHDRAWAL_PENDING' then $2::timestamptz end
  order by t.committed_at limit $3`;

export type StuckWithdrawal = {
  readonly marketplaceId: string;
  readonly id: string;
  readonly committedAt: string;
};

type StuckBefore = { readonly committedBefore: string; readonly pendingBefore: string; readonly limit: number };

type Row = Withdrawal & { marketplaceId: string };

const placed = ({ marketplaceId, ...withdrawal }: Row): PlacedWithdrawal => ({ marketplaceId, withdrawal });

export const createWithdrawalReads = (pool: pg.Pool) => {
  const listPlaced = async (text: string, values: unknown[]): Promise<PlacedWithdrawal[]> =>
    (await readAcross<Row>(pool, { text, values })).map(placed);

  const findPlaced = async (text: string, value: string): Promise<PlacedWithdrawal | null> =>
    (await findAcross<Row>(pool, { text, values: [value] })).map(placed)[0] ?? null;

  return {
    find: shareReads<Withdrawal>(pool, { text: `select ${COLUMNS} from ${byIds('withdrawals')}` }),

    async list(request: PageRequest & WithdrawalFilter): Promise<PageOf<Withdrawal>> {
      const filtered = conditions(request.marketplaceId, [
        ['t.id < ?', request.cursor],
        ['t.user_id = ?', request.userId],
        byIndex('t.status', request.status),
        ...createdBetween('withdrawal', request),
      ]);
      return readPage<Withdrawal>(pool, { select: SELECT, ...filtered, limit: request.limit });
    },

    /** In any marketplace. */
    findAnywhere: (id: string): Promise<PlacedWithdrawal | null> => findPlaced(BY_ID, id),

    findByPayout: (payoutId: string): Promise<PlacedWithdrawal | null> => findPlaced(BY_PAYOUT, payoutId),

    /** Committed withdrawals of all marketplaces: a stopped server may have left them unfinished. */
    listCommitted: (limit: number): Promise<PlacedWithdrawal[]> => listPlaced(COMMITTED, [limit]),

    /** Withdrawals of all marketplaces that were not paid in time after their commitment, oldest first. */
    listStuck: ({ committedBefore, pendingBefore, limit }: StuckBefore): Promise<StuckWithdrawal[]> =>
      readAcross<StuckWithdrawal>(pool, { text: STUCK, values: [committedBefore, pendingBefore, limit] }),

    /** Withdrawals of all marketplaces that were not committed in time, the oldest first. */
    listExpired: (expiryMs: number, limit: number): Promise<PlacedWithdrawal[]> =>
      listPlaced(TO_EXPIRE, [expiryMs, limit, formatInstant(systemClock())]),
  };
};

export type WithdrawalReads = ReturnType<typeof createWithdrawalReads>;
