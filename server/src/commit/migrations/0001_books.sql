-- The ground floor and the books. Every key leads with marketplace_id, and nothing refers across marketplaces.
-- Amounts are whole numbers of 10^-7 units; claims are positive, holdings negative, and each currency sums to zero.

-- One row per marketplace: the head of its event order and of its audit chain. Every group of commands that changes a
-- marketplace adds to the chain and says which hash it decided on: so all writes of one marketplace are in one order,
-- whichever process makes them.
create table marketplaces (
  marketplace_id text primary key,
  created_at timestamptz not null default now(),
  event_position bigint not null default 0,
  event_at timestamptz not null default 'epoch',
  audit_seq bigint not null default 0,
  audit_hash text not null default ''
) with (fillfactor = 50);

create table users (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  external_user_id text not null,
  email text,
  type text not null check (type in ('BUYER', 'SELLER', 'BOTH')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION')),
  payment_account_user_id text,
  payment_account_linked_at timestamptz,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  unique (marketplace_id, external_user_id)
);

create table api_keys (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  name text not null,
  scopes text[] not null,
  secret_hash text not null,
  previous_hash text,
  previous_expires_at timestamptz,
  rate_limit integer check (rate_limit > 0),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (marketplace_id, id)
);

-- Written lazily, in batches; apart from the key so that it never collides with a change of the key.
create table api_key_uses (
  marketplace_id text not null,
  api_key_id text not null,
  last_used_at timestamptz not null,
  primary key (marketplace_id, api_key_id)
);

create table accounts (
  marketplace_id text not null,
  id text not null,
  side text not null check (side in ('claim', 'holding')),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  user_id text,
  open boolean not null,
  balance bigint not null,
  postings bigint not null check (postings > 0),
  touched_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint no_overdraft check (open or (side = 'claim' and balance >= 0) or (side = 'holding' and balance <= 0))
) with (fillfactor = 50);

create index accounts_of_user on accounts (marketplace_id, user_id) where user_id is not null;

-- Two rows per transfer, one for each account; seq counts the account's postings without a gap.
create table postings (
  marketplace_id text not null,
  account_id text not null,
  seq bigint not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  counter_account_id text not null,
  move text not null,
  reference text,
  description text,
  command_id text not null,
  -- The next audit entry of its command. Like seq it only grows along an account, so a user's entries are found by these.
  audit_seq bigint not null,
  posted_at timestamptz not null,
  primary key (marketplace_id, account_id, seq)
);

create table reservations (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  user_id text not null,
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  order_ref text not null,
  amount bigint not null check (amount > 0),
  remaining bigint not null,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint remaining_in_range check (remaining between 0 and amount)
) with (fillfactor = 70);

create index reservations_of_order on reservations (marketplace_id, (user_id || ':' || order_ref));
create index reservations_active on reservations (marketplace_id, (user_id || ':' || currency)) where remaining > 0;

-- The envelope is kept as the text that the stream sends.
create table events (
  marketplace_id text not null,
  position bigint not null,
  occurred_at timestamptz not null,
  event_type text not null,
  aggregate_type text not null,
  aggregate_id text not null,
  envelope text not null,
  primary key (marketplace_id, position),
  constraint events_in_time unique (marketplace_id, occurred_at)
);

create table audit_entries (
  marketplace_id text not null,
  seq bigint not null,
  occurred_at timestamptz not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  user_id text,
  payload_before text,
  payload_after text,
  actor_type text not null,
  actor_id text not null,
  result text not null check (result in ('SUCCESS', 'FAILURE')),
  correlation_id text not null,
  hash text not null,
  primary key (marketplace_id, seq)
);

-- Balance entries are most of the trail and are found by their postings, or on the way; an index of them by user cost a
-- quarter of the committer's speed. The few that move nothing are in the index.
create index audit_of_resource on audit_entries (marketplace_id, resource_id, seq)
  where resource_type <> 'Balance' or action = 'BALANCE_SYNCED';
create index audit_of_action on audit_entries (marketplace_id, action, seq) where resource_type <> 'Balance';
create index audit_of_user on audit_entries (marketplace_id, user_id, seq) where user_id is not null;

-- Written by the commit of the command they protect; status is null while a longer errand is still under way.
create table idempotency_answers (
  marketplace_id text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status integer,
  body text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (marketplace_id, key_hash)
);

create index idempotency_expiry on idempotency_answers (expires_at);

-- Fails the transaction when a statement touched another number of rows than the decision counted on.
create function require_rows(actual bigint, expected bigint, what text) returns void
language plpgsql as $$
begin
  if actual is distinct from expected then
    raise exception 'expected % rows of %, found %', expected, what, actual using errcode = 'HF001';
  end if;
end $$;

create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'HF002';
end $$;

create trigger postings_append_only before update or delete or truncate on postings
  for each statement execute function refuse_change();

create trigger audit_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- What the last look at a marketplace's books found. An observation, not a part of them.
create table proofs (
  marketplace_id text primary key,
  holds boolean not null,
  checked_at timestamptz not null,
  differences jsonb not null
);
