// Reads the postings of one order: all on the accounts of its escrow and its contracts, and those on the buyer's reserved balance that
// name the order. A move is two postings; only one of them is read.

import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { contractHolding, orderEscrow, reserved } from '../../books/accounts.ts';
import type { Amount } from '../../books/money.ts';
import { deployedContract, type Escrow } from '../escrows/escrow.ts';
import type { Order } from '../orders/order.ts';
import { POSTINGS_BEFORE } from '../statements/queries.ts';

export type OrderPosting = {
  readonly accountId: string;
  readonly counterAccountId: string;
  /** Below zero for money that left the account. */
  readonly amount: Amount;
  readonly move: string;
  readonly commandId: string;
  readonly auditSeq: bigint;
  readonly postedAt: string;
};

type Ask = {
  readonly marketplaceId: string;
  readonly order: Order;
  readonly escrows: readonly Escrow[];
  readonly limit: number;
};

/** How many postings of the buyer's reserved balance are searched. A buyer has few orders at the same time. */
const SEARCHED_MAX = 5_000;

const COLUMNS = `p.account_id as "accountId", p.counter_account_id as "counterAccountId", p.amount, p.move,
  p.command_id as "commandId", p.audit_seq as "auditSeq", p.posted_at as "postedAt"`;

const OWN = `select ${COLUMNS} from unnest($2::text[]) a (id) cross join lateral (select p.* from postings p
    where p.marketplace_id = $1 and p.account_id = a.id order by p.seq limit $3) p
  order by p.posted_at, p.audit_seq, p.account_id, p.seq limit $3`;

// The move into the escrow is read from the account of the escrow.
const SET_ASIDE = `select ${COLUMNS} from (select p.* from postings p where p.marketplace_id = $1 and p.account_id = $2
    and p.seq > $3 order by p.seq limit ${SEARCHED_MAX}) p
  where p.reference = $4 and p.counter_account_id <> $5 and p.posted_at <= $6 order by p.seq limit $7`;

/** A reservation is given back when the order ends at the latest. */
const endOf = ({ status, updatedAt }: Order): string => (status === 'CLOSED' ? updatedAt : 'infinity');

export const readOrderPostings = async (
  client: pg.PoolClient,
  { marketplaceId, order, escrows, limit }: Ask,
): Promise<{ postings: OrderPosting[]; isCut: boolean }> => {
  const contracts = new Set(
    escrows.flatMap((escrow) => [escrow.providerContractId, deployedContract(escrow)]).filter((id) => id !== null),
  );
  const escrowAccount = orderEscrow(order.id, order.currency).id;
  const own = [
    escrowAccount,
    ...[...contracts].flatMap((id) => CURRENCIES.map((currency) => contractHolding(id, currency).id)),
  ];
  const reservedAccount = reserved(order.buyerId, order.currency).id;
  const { rows: ofOwn } = await client.query<OrderPosting>(OWN, [marketplaceId, own, limit]);
  const placeAt = async (time: string): Promise<bigint> => {
    const { rows } = await client.query<{ seq: bigint }>(POSTINGS_BEFORE, [marketplaceId, reservedAccount, time]);
    return rows[0]?.seq ?? 0n;
  };
  const first = await placeAt(order.createdAt);
  const last = await placeAt(endOf(order));
  const { rows: aside } = await client.query<OrderPosting>(SET_ASIDE, [
    ...[marketplaceId, reservedAccount, first],
    ...[order.id, escrowAccount, endOf(order), limit],
  ]);
  const isBeyond = last - first > SEARCHED_MAX;
  return { postings: [...aside, ...ofOwn], isCut: isBeyond || ofOwn.length === limit || aside.length === limit };
};
