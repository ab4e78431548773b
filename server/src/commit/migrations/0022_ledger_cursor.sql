-- How far the payments of the whole ledger network have been read for deposits: one row, in mkt_default. Every deposit up to the cursor is
-- in the books, or is a break that says why not. `caught_up` says that this is also true of the wallets that are older than this table,
-- each of which was followed with a cursor of its own.
create table ledger_cursors (
  marketplace_id text not null,
  id text not null,
  cursor bigint not null,
  caught_up boolean not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

-- The receivers of a page of payments are looked up in all marketplaces: a payment names only an address.
create index wallets_at_address on wallets using hash (address) where type = 'INVISIBLE';

-- Why a payment was not credited. Null for a difference between two balances.
alter table breaks add column reason text;
