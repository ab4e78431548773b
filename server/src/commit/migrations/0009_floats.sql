-- The float of each marketplace: its share of the money at the payment provider. The held amount is in the accounts payment-float and
-- payment-float-owed; this row has what no account shows. The id is the currency of the provider.
create table floats (
  marketplace_id text not null,
  id text not null check (id = 'USD'),
  version integer not null,
  -- What the operator has given to the marketplace and not taken back.
  allotted bigint not null check (allotted >= 0),
  -- The open withdrawals that the provider pays: each will take its amount from the float.
  pending_payouts bigint not null check (pending_payouts >= 0),
  -- How far below zero the operator lets the float go.
  credit_line bigint not null check (credit_line >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

insert into floats (marketplace_id, id, version, allotted, pending_payouts, credit_line, created_at, updated_at)
  select w.marketplace_id, 'USD', 1, 0, sum(w.amount - w.paid), 0, now(), now() from withdrawals w
  where w.address is null and w.status in ('WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING',
    'WITHDRAWAL_PENDING_USER_ACTION')
  group by 1;

-- Float on its way from one marketplace to another: a row in the giving one, and a row with the same id in the receiving one.
create table float_transfers (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  direction text not null check (direction in ('given', 'received')),
  -- The other marketplace.
  counterpart text not null,
  amount bigint not null check (amount > 0),
  -- The hash of the Idempotency-Key that it was requested with; only of the giving row.
  request_key text,
  -- When the receiving marketplace had it; null while it is in transit.
  arrived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

create unique index float_transfers_of_request on float_transfers (marketplace_id, request_key)
  where request_key is not null;
create index float_transfers_in_transit on float_transfers (created_at) where arrived_at is null;
