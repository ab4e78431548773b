-- Operators: named people who work with a marketplace, or with all of them. A deleted operator stays, because the audit trail names it.
create table operators (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  email text not null,
  email_key text not null,
  name text not null,
  role text not null check (role in ('viewer', 'support', 'finance', 'admin')),
  is_everywhere boolean not null,
  state text not null check (state in ('live', 'deleted')),
  status text not null check (status in ('INVITED', 'ACTIVE', 'DISABLED')),
  password_hash text,
  sealed_totp text,
  -- The last time step whose code was accepted, so that each code works once.
  totp_step bigint not null,
  recovery_hashes text[] not null,
  single_sign_on text,
  invite_hash text,
  invite_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint everywhere_from_default check (not is_everywhere or marketplace_id = 'mkt_default'),
  constraint invite_whole check ((invite_hash is null) = (invite_expires_at is null))
);
create index operators_state on operators (marketplace_id, state, id);

-- Which operator has an e-mail address, by its hash. All rows belong to the default marketplace, so an address is unique in the service.
create table operator_claims (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null check (kind = 'email'),
  operator_marketplace text not null,
  operator_id text not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);
create index operator_claims_kind on operator_claims (marketplace_id, kind);

create table operator_passkeys (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  operator_id text not null,
  state text not null check (state in ('live', 'removed')),
  public_key text not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (marketplace_id, id)
);
create index operator_passkeys_operator on operator_passkeys (marketplace_id, operator_id) where state = 'live';

create table operator_sessions (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  operator_id text not null,
  secret_hash text not null,
  method text not null check (method in ('password', 'passkey', 'single-sign-on', 'invitation')),
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (marketplace_id, id)
);
create index operator_sessions_open on operator_sessions (marketplace_id, operator_id, id) where ended_at is null;

-- When a session was last used: written in batches and without a command, like the uses of API keys.
create table operator_session_uses (
  marketplace_id text not null,
  session_id text not null,
  last_used_at timestamptz not null,
  primary key (marketplace_id, session_id)
);
