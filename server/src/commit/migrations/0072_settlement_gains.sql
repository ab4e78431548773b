-- What a settlement booked as the operator's gain at a wallet because the wallet had spent more than the books held there: a payment of those
-- ledgers that is found later may be this money. It then comes out of the operator's gain, and is not new money.
create table settlement_gains (
  marketplace_id text not null,
  -- The address and the asset.
  id text not null,
  version integer not null,
  -- What no payment has explained yet, in units of 10^-7.
  amount bigint not null check (amount >= 0),
  -- The end of the newest ledger that such a transaction was in, as a cursor.
  compared_to text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);
