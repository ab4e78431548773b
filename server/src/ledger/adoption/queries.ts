// Reads for the adoption of transactions that the ledger has and our rows lack: which numbers and hashes are known, and the open
// payments, withdrawals and escrows that such a transaction may have carried out. It only reads.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { byKeys } from '../../postgres/by-keys.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import type { EscrowAction } from '../transactions/contract-moves.ts';
import { type OpenTransaction, UNUSED, USED } from '../transactions/queries.ts';

type KnownTransaction = {
  readonly hash: string;
  /**
   * `used`: on the ledger. `open`: signed, and its outcome is not known yet. `unsettled`: adopted from the ledger, and not in the books
   * yet. `unused`: taken for refused or expired.
   */
  readonly state: 'used' | 'open' | 'unsettled' | 'unused';
};

type Payment = {
  readonly marketplaceId: string;
  readonly to: string;
  readonly asset: 'USDC' | 'XLM';
  readonly units: bigint;
  /** When the ledger included the payment: what was requested later is not what it was for. */
  readonly at: string;
  /** Requests that earlier operations of the same transaction were for. */
  readonly taken: readonly string[];
};

type Payer = { readonly from: string; readonly memo: { readonly type: string; readonly value: string } | null };

type Requested = { readonly id: string; readonly currency: Currency };

type KnownEscrow = {
  readonly escrowId: string;
  readonly orderId: string;
  readonly currency: Currency;
  readonly contractType: 'single-release' | 'multi-release';
  readonly contractId: string | null;
  readonly buyer: string;
  readonly seller: string;
  readonly platform: string;
  /** How many fundings are known. */
  readonly fundings: number;
  /** The operation of the order that is running; an empty text when there is none. */
  readonly operationId: string;
};

// A row for each number that is used.
const NUMBERS = `select k.key from ${byKeys('ledger_transactions', { key: `(t.source || ':' || t.sequence)`, where: USED })}`;

const KNOWN = `select t.id as hash, case when t.state = 'SIGNED' and t.purpose = 'adopted' then 'unsettled'
    when t.state = 'SIGNED' then 'open' when ${UNUSED} then 'unused' else 'used' end as state
  from ledger_transactions t where t.marketplace_id = $1 and t.id = any($2)`;

const OF_USER = `select exists (select 1 from wallets w where w.marketplace_id = $1 and w.address = $2
  and w.type = 'INVISIBLE' and w.owner = 'user') as "isOfUser"`;

const WALLETS = `select w.address, w.id from wallets w
  where w.marketplace_id = $1 and w.address = any($2) and w.type = 'INVISIBLE'`;

// The clock of the ledger counts whole seconds, and a ledger closes up to some seconds after the time that it names.
const CLOCKS = `interval '10 seconds'`;

const TREASURY_PAYMENT = `select t.id, t.currency from treasury_payments t
  where t.marketplace_id = $1 and t.address = $2 and t.asset = $3 and t.amount = $4 and t.state in ('QUEUED', 'SENT')
    and t.created_at <= $5::timestamptz + ${CLOCKS} and t.id <> all($6) order by t.id limit 1`;

// Of two equal withdrawals, a committed one comes first. They have the same owner, address, memo and amount, so either may be the one.
const WITHDRAWAL = `select t.id, t.currency from withdrawals t join wallets w
    on w.marketplace_id = t.marketplace_id and w.id = t.wallet_id
  where t.marketplace_id = $1 and t.address = $2 and (t.currency = 'XLM') = ($3 = 'XLM') and t.amount - t.paid = $4
    and t.created_at <= $5::timestamptz + ${CLOCKS} and t.id <> all($6) and w.address = $7
    and coalesce(t.memo_type || ':' || t.memo, '') = $8
    and t.status in ('WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED')
  order by t.status = 'WITHDRAWAL_CREATED', t.id limit 1`;

const ESCROW = `select e.id as "escrowId", e.order_id as "orderId", e.currency, e.contract_type as "contractType",
    e.provider_contract_id as "contractId", e.buyer ->> 'address' as buyer, e.seller ->> 'address' as seller,
    e.platform ->> 'address' as platform,
    jsonb_array_length(jsonb_path_query_array(e.calls, '$[*] ? (@.call == "fund")')) as fundings,
    coalesce((select o.id from operations o where o.marketplace_id = $1 and o.order_id = e.order_id
      and o.state = 'RUNNING' limit 1), '') as "operationId"
  from escrows e where e.marketplace_id = $1 and not e.set_aside`;

const ORDERS = 'select t.id from orders t where t.marketplace_id = $1 and t.id = any($2)';

const PLATFORM = `select w.marketplace_id as "marketplaceId", w.address from wallets w
  where w.owner <> 'user' and w.status = 'ACTIVE' order by w.marketplace_id, w.id`;

/** Whether a transaction of ours is known to have used a number. */
const numberReads = (pool: pg.Pool) => {
  const usedOf = shareReads<{ key: string }>(pool, { text: NUMBERS, key: 'key' });
  return async ({ marketplaceId, source }: OpenTransaction, sequence: bigint): Promise<boolean> =>
    (await usedOf(marketplaceId, `${source}:${sequence}`)) !== null;
};

export const createAdoptionReads = (pool: pg.Pool) => ({
  /** The active treasuries and fee wallets of all marketplaces. */
  async platformWallets(): Promise<{ marketplaceId: string; address: string }[]> {
    return (await pool.query<{ marketplaceId: string; address: string }>(PLATFORM)).rows;
  },

  isNumberUsed: numberReads(pool),

  async known(marketplaceId: string, hashes: readonly string[]): Promise<Map<string, KnownTransaction['state']>> {
    const { rows } = await pool.query<KnownTransaction>(KNOWN, [marketplaceId, hashes]);
    return new Map(rows.map(({ hash, state }) => [hash, state]));
  },

  /** The ids of our wallets by address. */
  async wallets(marketplaceId: string, addresses: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await pool.query<{ address: string; id: string }>(WALLETS, [marketplaceId, addresses]);
    return new Map(rows.map(({ address, id }) => [address, id]));
  },

  /** Whether the address is the custodial wallet of a user. */
  async isOfUser(marketplaceId: string, address: string): Promise<boolean> {
    return (await pool.query<{ isOfUser: boolean }>(OF_USER, [marketplaceId, address])).rows[0]!.isOfUser;
  },

  async treasuryPayment({ marketplaceId, to, asset, units, at, taken }: Payment): Promise<Requested | null> {
    const { rows } = await pool.query<Requested>(TREASURY_PAYMENT, [marketplaceId, to, asset, units, at, taken]);
    return rows[0] ?? null;
  },

  async withdrawal({ from, memo }: Payer, payment: Payment): Promise<Requested | null> {
    const { marketplaceId, to, asset, units, at, taken } = payment;
    const shown = memo === null ? '' : `${memo.type}:${memo.value}`;
    const { rows } = await pool.query<Requested>(WITHDRAWAL, [marketplaceId, to, asset, units, at, taken, from, shown]);
    return rows[0] ?? null;
  },

  /** Which of these orders exist. */
  async orders(marketplaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await pool.query<{ id: string }>(ORDERS, [marketplaceId, ids]);
    return new Set(rows.map(({ id }) => id));
  },

  /** Also of a contract whose deployment was adopted, and whose creation is not confirmed yet. */
  async escrowOfContract(marketplaceId: string, contractId: string): Promise<KnownEscrow | null> {
    const text = `${ESCROW} and e.provider_contract_id = $2 limit 1`;
    const { rows } = await pool.query<KnownEscrow>(text, [marketplaceId, contractId]);
    if (rows[0]) return rows[0];
    const deployed = JSON.stringify([{ call: 'deploy', contractId }]);
    const adopted = `${ESCROW} and e.provider_contract_id is null and e.calls @> $2::jsonb limit 1`;
    return (await pool.query<KnownEscrow>(adopted, [marketplaceId, deployed])).rows[0] ?? null;
  },

  /** The escrow of an order whose contract is not deployed, as far as we know. */
  async undeployedEscrow(marketplaceId: string, orderId: string): Promise<KnownEscrow | null> {
    const text = `${ESCROW} and e.order_id = $2 and e.provider_contract_id is null and e.transaction_id is null limit 1`;
    return (await pool.query<KnownEscrow>(text, [marketplaceId, orderId])).rows[0] ?? null;
  },
});

export type AdoptionReads = ReturnType<typeof createAdoptionReads>;

/** The action of a call of a known escrow. */
export const escrowActionOf = (
  escrow: KnownEscrow,
  call: Pick<EscrowAction, 'call' | 'milestone' | 'contractId' | 'units'> & {
    shares?: Readonly<Record<string, string>>;
  },
): EscrowAction => {
  const { shares, ...of } = call;
  const { operationId, orderId, escrowId, currency, buyer, seller, platform, fundings } = escrow;
  return {
    type: 'escrow',
    operationId,
    orderId,
    escrowId,
    currency,
    addresses: [buyer, seller, platform],
    ...of,
    // A funding that pays the rest of an earlier one is a call of its own.
    ...(of.call === 'fund' && fundings > 0 ? { part: fundings + 1 } : {}),
    ...(shares ? { sellerUnits: shares[seller] ?? '0', buyerUnits: shares[buyer] ?? '0' } : {}),
    ...(shares?.[platform] === undefined ? {} : { platformUnits: shares[platform] }),
  };
};
