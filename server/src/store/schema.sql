-- The schema after all migrations. Printed by scripts/dump-schema.ts; change the migrations, not this file.

create table accounts (
  marketplace_id text not null,
  id text not null,
  side text not null,
  currency text not null,
  user_id text,
  open boolean not null,
  balance bigint not null,
  postings bigint not null,
  touched_at timestamp with time zone not null,
  constraint accounts_pkey PRIMARY KEY (marketplace_id, id),
  constraint accounts_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text]))),
  constraint accounts_postings_check CHECK ((postings > 0)),
  constraint accounts_side_check CHECK ((side = ANY (ARRAY['claim'::text, 'holding'::text]))),
  constraint no_overdraft CHECK ((open OR ((side = 'claim'::text) AND (balance >= 0)) OR ((side = 'holding'::text) AND (balance <= 0))))
) with (fillfactor=50);
CREATE INDEX accounts_of_user ON public.accounts USING btree (marketplace_id, user_id) WHERE (user_id IS NOT NULL);

create table api_key_uses (
  marketplace_id text not null,
  api_key_id text not null,
  last_used_at timestamp with time zone not null,
  constraint api_key_uses_pkey PRIMARY KEY (marketplace_id, api_key_id)
);

create table api_keys (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  name text not null,
  scopes text[] not null,
  secret_hash text not null,
  previous_hash text,
  previous_expires_at timestamp with time zone,
  rate_limit integer,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (marketplace_id, id),
  constraint api_keys_rate_limit_check CHECK ((rate_limit > 0))
);

create table audit_entries (
  marketplace_id text not null,
  seq bigint not null,
  occurred_at timestamp with time zone not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  user_id text,
  payload_before text,
  payload_after text,
  actor_type text not null,
  actor_id text not null,
  result text not null,
  correlation_id text not null,
  hash text not null,
  constraint audit_entries_pkey PRIMARY KEY (marketplace_id, seq),
  constraint audit_entries_result_check CHECK ((result = ANY (ARRAY['SUCCESS'::text, 'FAILURE'::text])))
);
CREATE INDEX audit_of_action ON public.audit_entries USING btree (marketplace_id, action, seq) WHERE (resource_type <> 'Balance'::text);
CREATE INDEX audit_of_resource ON public.audit_entries USING btree (marketplace_id, resource_id, seq) WHERE ((resource_type <> 'Balance'::text) OR (action = 'BALANCE_SYNCED'::text));
CREATE INDEX audit_of_user ON public.audit_entries USING btree (marketplace_id, user_id, seq) WHERE (user_id IS NOT NULL);
CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table breaks (
  marketplace_id text not null,
  kind text not null,
  subject text not null,
  expected text not null,
  actual text not null,
  difference text not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint breaks_pkey PRIMARY KEY (marketplace_id, kind, subject)
);

create table deposits (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  wallet_id text not null,
  user_id text,
  transaction_hash text not null,
  from_address text not null,
  asset text not null,
  currency text not null,
  amount bigint not null,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint deposits_pkey PRIMARY KEY (marketplace_id, id),
  constraint deposits_amount_check CHECK ((amount > 0)),
  constraint deposits_asset_check CHECK ((asset = ANY (ARRAY['USDC'::text, 'XLM'::text]))),
  constraint deposits_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text])))
);
CREATE INDEX deposits_of_wallet ON public.deposits USING btree (marketplace_id, wallet_id, id);

create table events (
  marketplace_id text not null,
  "position" bigint not null,
  occurred_at timestamp with time zone not null,
  event_type text not null,
  aggregate_type text not null,
  aggregate_id text not null,
  envelope text not null,
  constraint events_pkey PRIMARY KEY (marketplace_id, "position"),
  constraint events_in_time UNIQUE (marketplace_id, occurred_at)
);

create table idempotency_answers (
  marketplace_id text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status integer,
  body text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_answers_pkey PRIMARY KEY (marketplace_id, key_hash)
);
CREATE INDEX idempotency_expiry ON public.idempotency_answers USING btree (expires_at);

create table ledger_transactions (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  source text not null,
  purpose text not null,
  envelope text not null,
  state text not null,
  valid_until timestamp with time zone not null,
  actions jsonb not null,
  failure text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint ledger_transactions_pkey PRIMARY KEY (marketplace_id, id),
  constraint ledger_transactions_state_check CHECK ((state = ANY (ARRAY['SIGNED'::text, 'SUCCEEDED'::text, 'FAILED'::text])))
);
CREATE UNIQUE INDEX ledger_transactions_one_open ON public.ledger_transactions USING btree (marketplace_id, source) WHERE (state = 'SIGNED'::text);
CREATE INDEX ledger_transactions_open ON public.ledger_transactions USING btree (marketplace_id, created_at) WHERE (state = 'SIGNED'::text);

create table marketplaces (
  marketplace_id text not null,
  created_at timestamp with time zone default now() not null,
  event_position bigint default 0 not null,
  event_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  audit_seq bigint default 0 not null,
  audit_hash text default ''::text not null,
  constraint marketplaces_pkey PRIMARY KEY (marketplace_id)
) with (fillfactor=50);

create table postings (
  marketplace_id text not null,
  account_id text not null,
  seq bigint not null,
  amount bigint not null,
  balance_after bigint not null,
  counter_account_id text not null,
  move text not null,
  reference text,
  description text,
  command_id text not null,
  audit_seq bigint not null,
  posted_at timestamp with time zone not null,
  constraint postings_pkey PRIMARY KEY (marketplace_id, account_id, seq),
  constraint postings_amount_check CHECK ((amount <> 0))
);
CREATE TRIGGER postings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table proofs (
  marketplace_id text not null,
  holds boolean not null,
  checked_at timestamp with time zone not null,
  differences jsonb not null,
  constraint proofs_pkey PRIMARY KEY (marketplace_id)
);

create table reservations (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  user_id text not null,
  currency text not null,
  order_ref text not null,
  amount bigint not null,
  remaining bigint not null,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint reservations_pkey PRIMARY KEY (marketplace_id, id),
  constraint remaining_in_range CHECK (((remaining >= 0) AND (remaining <= amount))),
  constraint reservations_amount_check CHECK ((amount > 0)),
  constraint reservations_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text])))
) with (fillfactor=70);
CREATE INDEX reservations_active ON public.reservations USING btree (marketplace_id, (((user_id || ':'::text) || currency))) WHERE (remaining > 0);
CREATE INDEX reservations_of_order ON public.reservations USING btree (marketplace_id, (((user_id || ':'::text) || order_ref)));

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table treasury_payments (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null,
  wallet_id text not null,
  address text not null,
  asset text not null,
  currency text not null,
  amount bigint not null,
  reference text,
  state text not null,
  alone boolean not null,
  transaction_id text,
  failure text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint treasury_payments_pkey PRIMARY KEY (marketplace_id, id),
  constraint treasury_payments_amount_check CHECK ((amount > 0)),
  constraint treasury_payments_asset_check CHECK ((asset = ANY (ARRAY['USDC'::text, 'XLM'::text]))),
  constraint treasury_payments_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text]))),
  constraint treasury_payments_kind_check CHECK ((kind = ANY (ARRAY['activate'::text, 'pay'::text]))),
  constraint treasury_payments_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'DONE'::text, 'FAILED'::text])))
);
CREATE INDEX treasury_payments_of_wallet ON public.treasury_payments USING btree (marketplace_id, (((wallet_id || ':'::text) || kind)));
CREATE INDEX treasury_payments_queued ON public.treasury_payments USING btree (marketplace_id, id) WHERE (state = 'QUEUED'::text);

create table users (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  external_user_id text not null,
  email text,
  type text not null,
  status text not null,
  payment_account_user_id text,
  payment_account_linked_at timestamp with time zone,
  metadata jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ledger_address text,
  ledger_linked_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (marketplace_id, id),
  constraint users_marketplace_id_external_user_id_key UNIQUE (marketplace_id, external_user_id),
  constraint users_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text, 'PENDING_VERIFICATION'::text]))),
  constraint users_type_check CHECK ((type = ANY (ARRAY['BUYER'::text, 'SELLER'::text, 'BOTH'::text])))
);

create table wallets (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  owner text not null,
  user_id text,
  address text not null,
  type text not null,
  sealed_secret text,
  status text not null,
  is_primary boolean not null,
  payments_cursor text not null,
  activated_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint wallets_pkey PRIMARY KEY (marketplace_id, id),
  constraint wallets_marketplace_id_address_key UNIQUE (marketplace_id, address),
  constraint owned CHECK (((owner = 'user'::text) = (user_id IS NOT NULL))),
  constraint sealed CHECK (((type = 'INVISIBLE'::text) = (sealed_secret IS NOT NULL))),
  constraint wallets_owner_check CHECK ((owner = ANY (ARRAY['user'::text, 'treasury'::text, 'platform'::text]))),
  constraint wallets_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text]))),
  constraint wallets_type_check CHECK ((type = ANY (ARRAY['INVISIBLE'::text, 'EXTERNAL'::text])))
);
CREATE INDEX wallets_of_owner ON public.wallets USING btree (marketplace_id, (((owner || ':'::text) || COALESCE(user_id, ''::text))));
CREATE INDEX wallets_pending ON public.wallets USING btree (marketplace_id, id) WHERE ((status = 'PENDING'::text) AND (type = 'INVISIBLE'::text));

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'HF002';
end $function$;

CREATE OR REPLACE FUNCTION public.require_rows(actual bigint, expected bigint, what text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if actual is distinct from expected then
    raise exception 'expected % rows of %, found %', expected, what, actual using errcode = 'HF001';
  end if;
end $function$;
