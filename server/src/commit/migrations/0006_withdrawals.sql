-- Money out. The status column allows just the states of the machine in server/src/domain; a tidy test compares them.

create table withdrawals (
  marketplace_id text not null,
  -- The payment provider's code for it too.
  id text not null,
  version integer not null,
  user_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  status text not null check (status in ('WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING',
    'WITHDRAWAL_PENDING_USER_ACTION', 'WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')),
  destination_type text not null check (destination_type in ('bank', 'crypto', 'payment_account')),
  destination_ref text,
  address text,
  email text,
  wallet_id text,
  -- What of it has been paid for certain.
  paid bigint not null,
  provider_payout_id text,
  -- Of the ledger's transaction that is on its way, or that paid it.
  transaction_id text,
  -- Why it is taken back at the provider.
  refusal jsonb,
  action_required text,
  action_url text,
  failure_reason text,
  error_code text,
  canceled_by text,
  committed_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When somebody next looks what became of it. No part of the row that commands know: it decides nothing.
  next_look_at timestamptz not null default now(),
  primary key (marketplace_id, id),
  constraint paid_in_range check (paid between 0 and amount),
  constraint paid_in_full check (status <> 'WITHDRAWAL_COMPLETED' or (paid = amount and completed_at is not null)),
  constraint goes_somewhere check (
    (destination_type = 'crypto') = (address is not null) and (address is null) = (wallet_id is null)
    and (address is null) <> (email is null))
);

create index withdrawals_of_user on withdrawals (marketplace_id, user_id, id);
create index withdrawals_by_status on withdrawals (marketplace_id, status, id);
-- Whoever hears from the provider does not know the marketplace.
create index withdrawals_of_payout on withdrawals (provider_payout_id) where provider_payout_id is not null;
create index withdrawals_to_look_at on withdrawals (next_look_at)
  where status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION');
create index withdrawals_to_expire on withdrawals (created_at) where status = 'WITHDRAWAL_CREATED';
-- What is promised to a wallet that is about to pay.
create index withdrawals_paying on withdrawals (marketplace_id, wallet_id)
  where status = 'WITHDRAWAL_COMMITTED' and wallet_id is not null;
