-- Fee bumps of our transactions, stored before they are sent. The ledger shows what a bumped transaction did under the hash of the bump.
create table ledger_bumps (
  marketplace_id text not null,
  -- The hash of the bump.
  id text not null,
  version integer not null,
  transaction_id text not null,
  envelope text not null,
  -- The highest fee per operation, in units of 10^-7.
  bid bigint not null check (bid > 0),
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);

create index ledger_bumps_of_transaction on ledger_bumps (marketplace_id, transaction_id);
