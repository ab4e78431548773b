-- Orders and their escrows. The state columns allow just the states of the machines in server/src/domain; a tidy test
-- compares them.

alter table reservations add column locked boolean not null default false;

create table orders (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  buyer_id text not null,
  seller_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  title text not null,
  description text,
  client_order_ref text,
  metadata jsonb not null,
  platform_fee_bps integer not null check (platform_fee_bps between 0 and 9900),
  status text not null check (status in ('ORDER_CREATED', 'FUNDS_RESERVED', 'ESCROW_CREATING', 'ESCROW_FUNDING',
    'IN_PROGRESS', 'RELEASE_REQUESTED', 'RELEASED', 'REFUND_REQUESTED', 'REFUNDED', 'DISPUTED', 'CLOSED')),
  final_status text check (final_status in ('RELEASED', 'REFUNDED', 'SPLIT', 'CANCELED')),
  escrow_id text,
  dispute_id text,
  operation_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint two_parties check (buyer_id <> seller_id),
  constraint closed_somehow check ((status = 'CLOSED') = (final_status is not null)),
  constraint carried_out check (operation_id is not null or status not in ('RELEASE_REQUESTED', 'REFUND_REQUESTED'))
);

create unique index orders_client_ref on orders (marketplace_id, client_order_ref) where client_order_ref is not null;
create index orders_of_buyer on orders (marketplace_id, buyer_id, id);
create index orders_of_seller on orders (marketplace_id, seller_id, id);
create index orders_by_status on orders (marketplace_id, status, id);

create table milestones (
  marketplace_id text not null,
  -- The order's id and the milestone's place in it.
  id text not null,
  version integer not null,
  order_id text not null,
  place integer not null check (place between 0 and 9),
  ref text not null,
  title text not null,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('OPEN', 'COMPLETED')),
  completed_at timestamptz,
  primary key (marketplace_id, id),
  unique (marketplace_id, order_id, ref),
  constraint completed_once check ((status = 'COMPLETED') = (completed_at is not null))
);

create table escrows (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  order_id text not null,
  status text not null check (status in ('CREATING', 'CREATED', 'FUNDING', 'FUNDED', 'RELEASED', 'REFUNDED', 'DISPUTED')),
  amount bigint not null check (amount > 0),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  contract_type text not null check (contract_type in ('single-release', 'multi-release')),
  provider_contract_id text,
  -- Who signs for it: wallet and address, fixed when the escrow is made.
  buyer jsonb not null,
  seller jsonb not null,
  platform jsonb not null,
  platform_fee_bps integer not null,
  terms jsonb,
  -- The contract's calls that are on the ledger, in their order.
  calls jsonb not null,
  -- Of the call that is on its way.
  transaction_id text,
  set_aside boolean not null,
  funded_at timestamptz,
  released_at timestamptz,
  refunded_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint has_contract check (status = 'CREATING' or provider_contract_id is not null)
);

create index escrows_of_order on escrows (marketplace_id, order_id);
create unique index escrows_one_live on escrows (marketplace_id, order_id) where not set_aside;
create index escrows_polled on escrows (marketplace_id, id)
  where not set_aside and status in ('CREATED', 'FUNDING', 'FUNDED');
create index escrows_of_contract on escrows (provider_contract_id) where provider_contract_id is not null;

create table disputes (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  order_id text not null,
  opened_by text not null check (opened_by in ('BUYER', 'SELLER')),
  reason text not null check (reason in ('NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER')),
  evidence jsonb,
  status text not null check (status in ('OPEN', 'UNDER_REVIEW', 'RESOLVED')),
  assigned_to text,
  resolution_decision text check (resolution_decision in ('FULL_RELEASE', 'FULL_REFUND', 'SPLIT')),
  decision_note text,
  seller_amount bigint check (seller_amount >= 0),
  buyer_amount bigint check (buyer_amount >= 0),
  resolved_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint decided_once check ((status = 'RESOLVED') = (resolution_decision is not null and resolved_at is not null))
);

create index disputes_of_order on disputes (marketplace_id, order_id);
create unique index disputes_one_open on disputes (marketplace_id, order_id) where status <> 'RESOLVED';
create index disputes_by_status on disputes (marketplace_id, status, id);

-- What is carried out with the outside systems, written before the first call.
create table operations (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null check (kind in ('create-escrow', 'fund-escrow', 'release', 'refund', 'resolve-dispute')),
  order_id text not null,
  escrow_id text not null,
  dispute_id text,
  state text not null check (state in ('RUNNING', 'DONE', 'FAILED')),
  step text,
  attempts integer not null,
  ask jsonb not null,
  wallet_id text,
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  amount bigint not null check (amount > 0),
  failure text,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

-- One at a time per order.
create unique index operations_one_running on operations (marketplace_id, order_id) where state = 'RUNNING';
create index operations_running on operations (next_attempt_at) where state = 'RUNNING';
create index operations_paying on operations (marketplace_id, wallet_id) where state = 'RUNNING' and wallet_id is not null;

-- What outside systems told us, once per their own event id. Only a processed one is a duplicate.
create table webhook_events (
  marketplace_id text not null,
  -- Provider and the provider's event id.
  id text not null,
  version integer not null,
  provider text not null check (provider in ('escrow-provider', 'payment-provider')),
  type text not null,
  state text not null check (state in ('PROCESSED', 'FAILED')),
  signed boolean not null,
  subject_id text,
  failure text,
  attempts integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

-- What is over is not looked up by wallet any more, but for an activation, which a wallet has once.
drop index treasury_payments_of_wallet;
create index treasury_payments_of_wallet on treasury_payments (marketplace_id, (wallet_id || ':' || kind))
  where kind = 'activate' or state in ('QUEUED', 'SENT');

-- The number of its source that a transaction uses up. The ledger takes each once, so two processes must not draw on one.
alter table ledger_transactions add column sequence text not null default '';
create index ledger_transactions_number on ledger_transactions (marketplace_id, (source || ':' || sequence));

-- Refused envelopes are looked up on the ledger for as long as they are good.
create index ledger_transactions_rejected on ledger_transactions (marketplace_id, source, created_at)
  where state = 'FAILED' and failure like 'rejected: %';

-- Contracts that are compared with the books.
create index escrows_open on escrows (marketplace_id, provider_contract_id)
  where provider_contract_id is not null and status not in ('RELEASED', 'REFUNDED');
create index escrows_ended on escrows (updated_at) where status in ('RELEASED', 'REFUNDED');
