-- Money in through the payment provider. The status column allows just the states of the machine in server/src/domain; a
-- tidy test compares them.

create table topups (
  marketplace_id text not null,
  -- The payment provider's code for it too.
  id text not null,
  version integer not null,
  user_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency in ('USD', 'USDC')),
  description text,
  status text not null check (status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING',
    'TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED')),
  provider_payin_id text,
  confirmation_uri text,
  return_url text,
  cancel_url text,
  -- Who wants it cancelled, and why.
  cancel_ask jsonb,
  failure_reason text,
  error_code text,
  -- What the provider kept of it; null until it has told.
  fee bigint check (fee >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the provider is next asked about it. No part of the row that commands know: it decides nothing.
  next_look_at timestamptz not null default now() + interval '1 minute',
  primary key (marketplace_id, id),
  constraint confirmed_somewhere check (status <> 'TOPUP_AWAITING_USER_CONFIRMATION' or confirmation_uri is not null),
  constraint fee_of_success check (fee is null or status = 'TOPUP_SUCCEEDED')
);

create index topups_of_user on topups (marketplace_id, user_id, id);
create index topups_by_status on topups (marketplace_id, status, id);
-- Whoever hears from the provider does not know the marketplace.
create index topups_of_payin on topups (provider_payin_id) where provider_payin_id is not null;
create index topups_to_look_at on topups (next_look_at)
  where status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
    or status = 'TOPUP_SUCCEEDED' and fee is null;

-- What lay at the payment provider before our first payment there: one row, in the default marketplace.
create table float_openings (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  amount bigint not null check (amount >= 0),
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);
