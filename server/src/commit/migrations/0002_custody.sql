-- Custody: the wallets behind the balances, what was signed with them, what came in, and where books and ledger differ.

alter table users add column ledger_address text, add column ledger_linked_at timestamptz;

-- A custodial wallet's secret is sealed; an external one has none. Treasury and platform have no user.
create table wallets (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  owner text not null check (owner in ('user', 'treasury', 'platform')),
  user_id text,
  address text not null,
  type text not null check (type in ('INVISIBLE', 'EXTERNAL')),
  sealed_secret text,
  -- PENDING until the account exists on the ledger and trusts the asset.
  status text not null check (status in ('PENDING', 'ACTIVE')),
  is_primary boolean not null,
  -- Paging token of the last payment that was looked at.
  payments_cursor text not null,
  activated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  unique (marketplace_id, address),
  constraint owned check ((owner = 'user') = (user_id is not null)),
  constraint sealed check ((type = 'INVISIBLE') = (sealed_secret is not null))
);

create index wallets_of_owner on wallets (marketplace_id, (owner || ':' || coalesce(user_id, '')));
create index wallets_pending on wallets (marketplace_id, id) where status = 'PENDING' and type = 'INVISIBLE';

-- Every transaction we sign, stored before it is sent, so that its fate can always be looked up by its hash.
create table ledger_transactions (
  marketplace_id text not null,
  -- The transaction's hash.
  id text not null,
  version integer not null,
  source text not null,
  purpose text not null,
  envelope text not null,
  state text not null check (state in ('SIGNED', 'SUCCEEDED', 'FAILED')),
  -- After this time the ledger can no longer include it.
  valid_until timestamptz not null,
  -- What it does when it succeeds, in our own words.
  actions jsonb not null,
  failure text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

-- Sequence numbers serialise an account's transactions: one on its way per wallet.
create unique index ledger_transactions_one_open on ledger_transactions (marketplace_id, source) where state = 'SIGNED';
create index ledger_transactions_open on ledger_transactions (marketplace_id, created_at) where state = 'SIGNED';

-- What the treasury is asked to pay; many are paid by one transaction.
create table treasury_payments (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  -- 'activate': make the account and let it trust the asset; 'pay': send an asset to it.
  kind text not null check (kind in ('activate', 'pay')),
  wallet_id text not null,
  address text not null,
  asset text not null check (asset in ('USDC', 'XLM')),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  amount bigint not null check (amount > 0),
  reference text,
  state text not null check (state in ('QUEUED', 'SENT', 'DONE', 'FAILED')),
  -- After a failure in company it is sent alone, so that it cannot fail others again.
  alone boolean not null,
  transaction_id text,
  failure text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

create index treasury_payments_queued on treasury_payments (marketplace_id, id) where state = 'QUEUED';
create index treasury_payments_of_wallet on treasury_payments (marketplace_id, (wallet_id || ':' || kind));

-- Money that came in on the ledger, one row per operation, so that it is credited once.
create table deposits (
  marketplace_id text not null,
  -- The ledger's operation id.
  id text not null,
  version integer not null,
  wallet_id text not null,
  user_id text,
  transaction_hash text not null,
  from_address text not null,
  asset text not null check (asset in ('USDC', 'XLM')),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  amount bigint not null check (amount > 0),
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);

create index deposits_of_wallet on deposits (marketplace_id, wallet_id, id);

-- Where the books and an outside system differ. An observation: it moves no money.
create table breaks (
  marketplace_id text not null,
  kind text not null,
  subject text not null,
  expected text not null,
  actual text not null,
  difference text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  resolved_at timestamptz,
  primary key (marketplace_id, kind, subject)
);
