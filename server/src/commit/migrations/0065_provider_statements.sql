-- Statements of outside systems that were uploaded. A row never changes.
create table provider_statements (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  system text not null check (system in ('payment-provider', 'ledger-network')),
  file_name text not null,
  sha256 text not null,
  -- Of the file, the system, the range, the tolerance and the columns: the same request is stored once.
  request_hash text not null,
  size_bytes integer not null check (size_bytes > 0),
  lines integer not null check (lines >= 0),
  from_at timestamptz not null,
  to_at timestamptz not null,
  tolerance_minutes integer not null check (tolerance_minutes >= 0),
  columns jsonb not null,
  author jsonb not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint some_range check (from_at < to_at)
);
create unique index provider_statements_request on provider_statements (marketplace_id, request_hash);

-- The lines of each statement, as its file has them.
create table provider_statement_lines (
  marketplace_id text not null,
  -- The statement and the row.
  id text not null,
  version integer not null,
  statement_id text not null,
  number integer not null check (number > 0),
  at timestamptz not null,
  reference text,
  amount bigint not null,
  currency text not null,
  type text,
  fee bigint,
  description text,
  primary key (marketplace_id, id)
);
create index provider_statement_lines_of on provider_statement_lines (marketplace_id, statement_id, number);

-- How many statements a marketplace has, and how many lines they have together.
create table provider_statement_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  statements integer not null check (statements > 0),
  lines integer not null check (lines >= 0),
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

-- What was settled in the range of a statement, and what its ledger transactions are about.
create index topups_settled on topups (marketplace_id, updated_at) where status = 'TOPUP_SUCCEEDED';
create index withdrawals_of_transaction on withdrawals (marketplace_id, transaction_id) where transaction_id is not null;
create index deposits_settled on deposits (marketplace_id, occurred_at);
create index deposits_of_transaction on deposits (marketplace_id, transaction_hash);
