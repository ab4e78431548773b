// Reads of our own records that a provider statement is compared with: those that its lines name, and those of its range. It only reads.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { StatementSystem } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { type Amount, fromUnits } from '../../books/money.ts';
import type { ProviderStatement } from './statement.ts';

export type OurRecord = {
  readonly type: 'topup' | 'withdrawal' | 'deposit';
  readonly id: string;
  /** The id of the payment at the provider, or the hash of the transaction. Null: there is none yet. */
  readonly outsideId: string | null;
  readonly status: string;
  /** Unpaid: it failed, was cancelled, or has not begun. */
  readonly outcome: 'settled' | 'pending' | 'unpaid';
  readonly amount: Amount;
  readonly fee: Amount | null;
  readonly currency: Currency;
  /** When it was settled; of others, when it began. */
  readonly at: string;
};

type RecordsOfRange = { readonly records: readonly OurRecord[]; readonly isComplete: boolean };

// A payment that came after the end of its top-up was paid all the same.
const TOPUP = `select 'topup' as type, t.id, t.provider_payin_id as "outsideId", t.status,
    case when t.status = 'TOPUP_SUCCEEDED' or t.late_amount is not null then 'settled'
      when t.status in ('TOPUP_FAILED', 'TOPUP_CANCELED') then 'unpaid' else 'pending' end as outcome,
    coalesce(t.late_amount, t.amount) as amount, t.fee, t.currency,
    case when t.status = 'TOPUP_SUCCEEDED' then t.updated_at else t.created_at end as at
  from topups t where t.marketplace_id = $1`;

const withdrawal = (outsideId: string, where: string): string => `select 'withdrawal' as type, t.id,
    t.${outsideId} as "outsideId", t.status,
    case t.status when 'WITHDRAWAL_COMPLETED' then 'settled' when 'WITHDRAWAL_COMMITTED' then 'pending'
      when 'WITHDRAWAL_PENDING' then 'pending' when 'WITHDRAWAL_PENDING_USER_ACTION' then 'pending' else 'unpaid' end as outcome,
    coalesce(t.executed, t.amount) as amount, null::bigint as fee, t.currency,
    coalesce(t.completed_at, t.committed_at, t.created_at) as at
  from withdrawals t where t.marketplace_id = $1 and ${where}`;

const PAYOUT = withdrawal('provider_payout_id', 't.address is null');

const LEDGER_PAYMENT = withdrawal('transaction_id', 't.address is not null');

const DEPOSIT = `select 'deposit' as type, t.id, t.transaction_hash as "outsideId", 'RECORDED' as status, 'settled' as outcome,
    t.amount, null::bigint as fee, t.currency, t.occurred_at as at
  from deposits t where t.marketplace_id = $1`;

const NAMED: Readonly<Record<StatementSystem, readonly string[]>> = {
  'payment-provider': [
    `${TOPUP} and t.id = any($2)`,
    `${TOPUP} and t.provider_payin_id = any($2)`,
    `${PAYOUT} and t.id = any($2)`,
    `${PAYOUT} and t.provider_payout_id = any($2)`,
  ],
  'ledger-network': [
    `${LEDGER_PAYMENT} and t.id = any($2)`,
    `${LEDGER_PAYMENT} and t.transaction_id = any($2)`,
    `${DEPOSIT} and t.transaction_hash = any($2)`,
  ],
};

const IN_RANGE = (column: string): string =>
  `t.${column} >= $2 and t.${column} < $3 order by t.${column}, t.id limit $4`;

const PENDING_TOPUPS = `t.status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')`;

const PENDING_WITHDRAWALS = `t.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')`;

const settledAndPending = (payments: string): string[] => [
  `${payments} and t.status = 'WITHDRAWAL_COMPLETED' and ${IN_RANGE('completed_at')}`,
  `${payments} and ${PENDING_WITHDRAWALS} and ${IN_RANGE('committed_at')}`,
];

const OF_RANGE: Readonly<Record<StatementSystem, readonly string[]>> = {
  'payment-provider': [
    `${TOPUP} and t.status = 'TOPUP_SUCCEEDED' and ${IN_RANGE('updated_at')}`,
    `${TOPUP} and ${PENDING_TOPUPS} and ${IN_RANGE('created_at')}`,
    ...settledAndPending(PAYOUT),
  ],
  'ledger-network': [...settledAndPending(LEDGER_PAYMENT), `${DEPOSIT} and ${IN_RANGE('occurred_at')}`],
};

type Row = Omit<OurRecord, 'amount' | 'fee'> & { readonly amount: bigint; readonly fee: bigint | null };

const recordOf = ({ amount, fee, ...row }: Row): OurRecord => ({
  ...row,
  amount: fromUnits(amount),
  fee: fee === null ? null : fromUnits(fee),
});

type Named = {
  readonly marketplaceId: string;
  readonly system: StatementSystem;
  readonly references: readonly string[];
};

export const createRecordReads = (pool: pg.Pool) => ({
  /** Each record once, however many of its names are given. */
  async named({ marketplaceId, system, references }: Named): Promise<OurRecord[]> {
    const found = new Map<string, OurRecord>();
    if (references.length === 0) return [];
    for (const text of NAMED[system]) {
      const { rows } = await pool.query<Row>(text, [marketplaceId, references]);
      for (const row of rows) found.set(row.id, recordOf(row));
    }
    return [...found.values()];
  },

  /** Settled or begun in the range. At most so many of each kind; `isComplete` says whether these are all. */
  async ofRange(marketplaceId: string, { system, fromAt, toAt }: ProviderStatement): Promise<RecordsOfRange> {
    const limit = LIMITS.providerStatementRecords;
    const records: OurRecord[] = [];
    let isComplete = true;
    for (const text of OF_RANGE[system]) {
      const { rows } = await pool.query<Row>(text, [marketplaceId, fromAt, toAt, limit + 1]);
      if (rows.length > limit) isComplete = false;
      for (const row of rows.slice(0, limit)) records.push(recordOf(row));
    }
    if (records.length > limit) isComplete = false;
    return { records: records.slice(0, limit), isComplete };
  },
});

export type RecordReads = ReturnType<typeof createRecordReads>;
