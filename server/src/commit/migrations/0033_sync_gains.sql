-- What a sync credited at a wallet because the ledger had more than the books: a payment of those ledgers that is found later may be
-- this money, and is not credited a second time.
create table sync_gains (
  marketplace_id text not null,
  -- The wallet and the asset.
  id text not null,
  version integer not null,
  -- What no payment has explained yet, in units of 10^-7.
  amount bigint not null check (amount >= 0),
  -- The end of the newest ledger that a sync has compared, as a cursor.
  compared_to text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);
