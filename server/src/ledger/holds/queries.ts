// Reads of the holds of outgoing payments. It only reads.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { ownedBy } from '../keys/wallet.ts';
import {
  ALL_PAYMENTS,
  type Comparison,
  isCompared,
  type OpenComparison,
  PAYMENT_HOLDS,
  type PaymentHold,
  payoutsOf,
} from './payment-hold.ts';

export type HeldWallet = PaymentHold & { readonly marketplaceId: string; readonly address: string };

const COLUMNS = selected(PAYMENT_HOLDS);

// The hold of the deployment, also one that has ended, and that of the user's wallet.
const OF_USER = `select t.id, t.held, t.reason, t.compared from payment_holds t
  where t.marketplace_id = $1 and t.id = $2 or t.marketplace_id = $3 and t.held and t.id in (
    select w.id from wallets w where w.marketplace_id = $3 and (w.owner || ':' || coalesce(w.user_id, '')) = $4)`;

const ALL = `t.marketplace_id = '${DEFAULT_MARKETPLACE}' and t.id = '${ALL_PAYMENTS}'`;

const WALLETS = `select t.marketplace_id as "marketplaceId", w.address, ${COLUMNS} from payment_holds t
  join wallets w on w.marketplace_id = t.marketplace_id and w.id = t.id where t.held and t.id = coalesce($2, t.id)
  order by t.since, t.id limit $1`;

const SUMMARY = `select max(t.reason) filter (where ${ALL}) as reason, max(t.since) filter (where ${ALL}) as since,
    count(*) filter (where not (${ALL}))::integer as wallets
  from payment_holds t where t.held`;

// The deployment last: its row says that all marketplaces were compared.
const NOT_COMPARED = `select t.marketplace_id as "marketplaceId", t.since from payment_holds t
  where t.id = '${ALL_PAYMENTS}' and not t.compared ? $1 order by t.marketplace_id = '${DEFAULT_MARKETPLACE}', t.marketplace_id`;

/** `reason` and `since` of the hold of all payments are null when there is none. */
export type HoldSummary = { readonly reason: string | null; readonly since: string | null; readonly wallets: number };

const COMPARING = 'The payouts of the payment provider are being compared with the books after a hold of payments.';

/** Who takes the money, and which account at the payment provider pays it. Null: the account that all marketplaces share. */
type HeldPayout = { readonly marketplaceId: string; readonly userId: string; readonly providerAccount: string | null };

/** Why nothing may be paid from a wallet; null when it may pay. Every transaction asks this twice, so the reads of all wallets are shared. */
const reasonReads = (pool: pg.Pool) => {
  const heldOf = shareReads<PaymentHold>(pool, { text: `select ${COLUMNS} from ${byIds('payment_holds')}` });
  return async ({ marketplaceId, walletId }: { marketplaceId: string; walletId: string }): Promise<string | null> => {
    const holds = await Promise.all([heldOf(marketplaceId, walletId), heldOf(DEFAULT_MARKETPLACE, ALL_PAYMENTS)]);
    return holds.find((hold) => hold?.held)?.reason ?? null;
  };
};

export const createHoldReads = (pool: pg.Pool) => ({
  reason: reasonReads(pool),

  /**
   * Why no payout may be made; null when it may. After a hold the provider may have paid what the books do not know, until its list was
   * read. The money of a user whose wallet is held does not leave through the provider either.
   */
  async payoutReason({ marketplaceId, userId, providerAccount }: HeldPayout): Promise<string | null> {
    const values = [DEFAULT_MARKETPLACE, ALL_PAYMENTS, marketplaceId, ownedBy('user', userId)];
    const { rows } = await pool.query<PaymentHold>({ name: 'payout-hold', text: OF_USER, values });
    const held = rows.find((hold) => hold.held);
    if (held) return held.reason;
    const isRead = rows.every((hold) => isCompared(hold, 'payouts') || isCompared(hold, payoutsOf(providerAccount)));
    return isRead ? null : COMPARING;
  },

  async find(marketplaceId: string, id: string): Promise<PaymentHold | null> {
    const text = `select ${COLUMNS} from payment_holds t where t.marketplace_id = $1 and t.id = $2`;
    return (await pool.query<PaymentHold>(text, [marketplaceId, id])).rows[0] ?? null;
  },

  /** The hold of all payments, also one that has ended. */
  async ofDeployment(): Promise<PaymentHold | null> {
    return this.find(DEFAULT_MARKETPLACE, ALL_PAYMENTS);
  },

  /** The rows of all marketplaces whose hold of the deployment has not compared this yet. */
  async notCompared(what: Comparison): Promise<Required<OpenComparison>[]> {
    return (await pool.query<Required<OpenComparison>>(NOT_COMPARED, [what])).rows;
  },

  async marketplaces(): Promise<string[]> {
    const text = 'select marketplace_id from marketplaces order by marketplace_id';
    return (await pool.query<{ marketplace_id: string }>(text)).rows.map((row) => row.marketplace_id);
  },

  /** Of all marketplaces. */
  async summary(): Promise<HoldSummary> {
    return (await pool.query<HoldSummary>(SUMMARY)).rows[0]!;
  },

  /** Held wallets of all marketplaces, oldest first. */
  async wallets(limit: number): Promise<HeldWallet[]> {
    return (await pool.query<HeldWallet>(WALLETS, [limit, null])).rows;
  },

  async wallet(walletId: string): Promise<HeldWallet | null> {
    return (await pool.query<HeldWallet>(WALLETS, [1, walletId])).rows[0] ?? null;
  },
});

export type HoldReads = ReturnType<typeof createHoldReads>;
