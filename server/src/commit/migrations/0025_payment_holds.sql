-- A hold of outgoing payments: of the whole deployment (id `all`, in the default marketplace), or of one wallet (its id).
create table payment_holds (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  held boolean not null,
  reason text not null,
  -- Transactions of the ledger whose payments nothing in the books explains, and those that an operator has accepted.
  transactions jsonb not null,
  accepted jsonb not null,
  since timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);
create index payment_holds_open on payment_holds (marketplace_id, since) where held;
