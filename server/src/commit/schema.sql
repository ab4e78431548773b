-- The schema after all migrations. Printed by scripts/dump-schema.ts; change the migrations, not this file.

create table accepted_breaks (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  expected text not null,
  actual text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint accepted_breaks_pkey PRIMARY KEY (marketplace_id, id)
);

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

create table activation_days (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  activations integer not null,
  constraint activation_days_pkey PRIMARY KEY (marketplace_id, id),
  constraint activation_days_activations_check CHECK ((activations > 0)),
  constraint activation_days_id_check CHECK ((id ~ '^\d{4}-\d\d-\d\d$'::text))
);

create table activation_places (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  day text,
  constraint activation_places_pkey PRIMARY KEY (marketplace_id, id),
  constraint activation_places_day_check CHECK ((day ~ '^\d{4}-\d\d-\d\d$'::text))
);

create table activation_totals (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  places integer not null,
  constraint activation_totals_pkey PRIMARY KEY (marketplace_id, id),
  constraint activation_totals_id_check CHECK ((id ~ '^\d{4}-\d\d-\d\d$'::text)),
  constraint activation_totals_places_check CHECK ((places >= 0))
);

create table activity_marks (
  marketplace_id text not null,
  audit_seq bigint not null,
  hours_from timestamp with time zone not null,
  constraint activity_marks_pkey PRIMARY KEY (marketplace_id),
  constraint activity_marks_audit_seq_check CHECK ((audit_seq >= 0))
);

create table activity_sums (
  marketplace_id text not null,
  currency text not null,
  span text not null,
  begins_at timestamp with time zone not null,
  figure text not null,
  bucket integer not null,
  count bigint not null,
  units text not null,
  constraint activity_sums_pkey PRIMARY KEY (marketplace_id, currency, span, begins_at, figure, bucket),
  constraint activity_sums_span_check CHECK ((span = ANY (ARRAY['day'::text, 'hour'::text]))),
  constraint activity_sums_units_check CHECK ((units ~ '^-?[0-9]+$'::text))
);

create table alerts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null,
  subject text not null,
  message text not null,
  since timestamp with time zone not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  opened_mail text not null,
  closed_mail text not null,
  constraint alerts_pkey PRIMARY KEY (marketplace_id, id),
  constraint alerts_closed_mail_check CHECK ((closed_mail = ANY (ARRAY['NONE'::text, 'DUE'::text, 'SENT'::text]))),
  constraint alerts_kind_check CHECK ((kind = ANY (ARRAY['BREAK'::text, 'TREASURY_LOW'::text, 'OPERATION_STUCK'::text, 'WITHDRAWAL_STUCK'::text, 'DEADLINE_STUCK'::text, 'ENDPOINT_DISABLED'::text, 'PROOF_FAILED'::text, 'BACKUP_LATE'::text, 'APPROVAL_WAITING'::text]))),
  constraint alerts_opened_mail_check CHECK ((opened_mail = ANY (ARRAY['NONE'::text, 'DUE'::text, 'SENT'::text]))),
  constraint mailed_after_its_end CHECK (((closed_mail = 'NONE'::text) OR (closed_at IS NOT NULL)))
);
CREATE INDEX alerts_kind ON public.alerts USING btree (marketplace_id, kind, id);
CREATE INDEX alerts_mail ON public.alerts USING btree (marketplace_id, id) WHERE ((opened_mail = 'DUE'::text) OR (closed_mail = 'DUE'::text));
CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (marketplace_id, kind, subject) WHERE (closed_at IS NULL);

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

create table approval_rules (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  rules jsonb not null,
  updated_at timestamp with time zone not null,
  constraint approval_rules_pkey PRIMARY KEY (marketplace_id, id)
);

create table approvals (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  action text not null,
  status text not null,
  amount bigint,
  currency text,
  order_id text,
  user_id text,
  requester text not null,
  requested_by jsonb not null,
  request jsonb not null,
  expires_at timestamp with time zone not null,
  decided_by jsonb,
  decided_at timestamp with time zone,
  reason text,
  begun_by text,
  effect_id text,
  resume_at timestamp with time zone,
  result jsonb,
  error jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint approvals_pkey PRIMARY KEY (marketplace_id, id),
  constraint approvals_amount_check CHECK ((amount > 0)),
  constraint approvals_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVING'::text, 'APPROVED'::text, 'REJECTED'::text, 'CANCELED'::text, 'EXPIRED'::text, 'FAILED'::text]))),
  constraint decided CHECK (((status = 'PENDING'::text) = (decided_at IS NULL))),
  constraint failed_with_error CHECK (((status = 'FAILED'::text) = (error IS NOT NULL))),
  constraint resumed_while_approving CHECK (((status = 'APPROVING'::text) = (resume_at IS NOT NULL)))
);
CREATE INDEX approvals_action ON public.approvals USING btree (marketplace_id, action, id);
CREATE INDEX approvals_action_and_status ON public.approvals USING btree (marketplace_id, (((action || ' '::text) || status)), id);
CREATE INDEX approvals_due ON public.approvals USING btree (expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX approvals_ended ON public.approvals USING btree (marketplace_id, updated_at) WHERE (status <> ALL (ARRAY['PENDING'::text, 'APPROVING'::text]));
CREATE INDEX approvals_order ON public.approvals USING btree (marketplace_id, order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX approvals_pending ON public.approvals USING btree (marketplace_id, expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX approvals_requester ON public.approvals USING btree (marketplace_id, ((requested_by ->> 'id'::text)), id);
CREATE INDEX approvals_requester_and_action ON public.approvals USING btree (marketplace_id, ((((requested_by ->> 'id'::text) || ' '::text) || action)), id);
CREATE INDEX approvals_requester_and_status ON public.approvals USING btree (marketplace_id, ((((requested_by ->> 'id'::text) || ' '::text) || status)), id);
CREATE INDEX approvals_resumed ON public.approvals USING btree (resume_at) WHERE (status = 'APPROVING'::text);
CREATE INDEX approvals_status ON public.approvals USING btree (marketplace_id, status, id);

create table archived_accounts (
  marketplace_id text not null,
  account_id text not null,
  postings bigint not null,
  balance bigint not null,
  constraint archived_accounts_pkey PRIMARY KEY (marketplace_id, account_id),
  constraint archived_accounts_postings_check CHECK ((postings >= 0))
);

create table archived_chains (
  marketplace_id text not null,
  audit_seq bigint not null,
  audit_hash text not null,
  constraint archived_chains_pkey PRIMARY KEY (marketplace_id),
  constraint archived_chains_audit_seq_check CHECK ((audit_seq >= 0))
);

create table archives (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  state text not null,
  ends_at timestamp with time zone not null,
  first_seq bigint not null,
  last_seq bigint not null,
  hash_before text not null,
  hash_after text not null,
  manifest_hash text not null,
  previous_manifest text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint archives_pkey PRIMARY KEY (marketplace_id, id),
  constraint archives_first_seq_check CHECK ((first_seq > 0)),
  constraint archives_state_check CHECK ((state = ANY (ARRAY['SEALED'::text, 'REMOVED'::text, 'RESTORING'::text, 'RESTORED'::text]))),
  constraint ends_after_start CHECK ((last_seq >= first_seq))
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
CREATE INDEX audit_of_kind ON public.audit_entries USING btree (marketplace_id, resource_type, action, seq) WHERE ((resource_type <> 'Balance'::text) OR (action = 'BALANCE_SYNCED'::text));
CREATE INDEX audit_of_resource ON public.audit_entries USING btree (marketplace_id, resource_id, seq) WHERE ((resource_type <> 'Balance'::text) OR (action = 'BALANCE_SYNCED'::text));
CREATE INDEX audit_of_user ON public.audit_entries USING btree (marketplace_id, user_id, seq) WHERE (user_id IS NOT NULL);
CREATE TRIGGER audit_append_only BEFORE UPDATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_leaves_archived AFTER DELETE ON public.audit_entries REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_unarchived_entry();
CREATE TRIGGER audit_stays BEFORE TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_stretch_marks (
  marketplace_id text not null,
  audit_seq bigint not null,
  constraint audit_stretch_marks_pkey PRIMARY KEY (marketplace_id),
  constraint audit_stretch_marks_audit_seq_check CHECK ((audit_seq >= 0))
);

create table audit_stretches (
  marketplace_id text not null,
  action text not null,
  stretch bigint not null,
  constraint audit_stretches_pkey PRIMARY KEY (marketplace_id, action, stretch),
  constraint audit_stretches_stretch_check CHECK ((stretch >= 0))
);

create table backup_times (
  marketplace_id text not null,
  taken_at timestamp with time zone not null,
  constraint backup_times_pkey PRIMARY KEY (marketplace_id)
);

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
  reason text,
  constraint breaks_pkey PRIMARY KEY (marketplace_id, kind, subject)
);

create table closings (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  audit_seq bigint not null,
  currencies jsonb not null,
  days jsonb not null,
  hash text not null,
  sealed_at timestamp with time zone not null,
  constraint closings_pkey PRIMARY KEY (marketplace_id, id),
  constraint closings_audit_seq_check CHECK ((audit_seq > 0)),
  constraint closings_check CHECK (((from_at < to_at) AND (to_at <= sealed_at))),
  constraint closings_id_check CHECK ((id ~ '^\d{4}-\d{2}$'::text))
);

create table corrections (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null,
  resource_id text not null,
  order_id text,
  reason text not null,
  amount bigint,
  currency text,
  before jsonb not null,
  after jsonb not null,
  by jsonb not null,
  created_at timestamp with time zone not null,
  constraint corrections_pkey PRIMARY KEY (marketplace_id, id),
  constraint corrections_amount_check CHECK ((amount >= 0)),
  constraint corrections_reason_check CHECK ((length(reason) >= 10))
);
CREATE INDEX corrections_kind ON public.corrections USING btree (marketplace_id, kind, id);
CREATE INDEX corrections_order ON public.corrections USING btree (marketplace_id, order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX corrections_resource ON public.corrections USING btree (marketplace_id, resource_id, id);

create table day_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  day text not null,
  amount bigint not null,
  counted_since timestamp with time zone not null,
  constraint day_counts_pkey PRIMARY KEY (marketplace_id, id),
  constraint day_counts_amount_check CHECK ((amount >= 0)),
  constraint day_counts_day_check CHECK ((day ~ '^\d{4}-\d\d-\d\d$'::text))
);

create table deadlines (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  order_id text not null,
  kind text not null,
  subject text not null,
  of_kind text,
  milestone_ref text,
  at timestamp with time zone not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  attempts integer default 0 not null,
  failure text,
  constraint deadlines_pkey PRIMARY KEY (marketplace_id, id),
  constraint deadlines_attempts_check CHECK ((attempts >= 0)),
  constraint deadlines_kind_check CHECK ((kind = ANY (ARRAY['cancel_unfunded'::text, 'auto_release'::text, 'dispute_decision'::text, 'milestone_inspection'::text, 'reminder'::text]))),
  constraint deadlines_of_kind_check CHECK ((of_kind <> 'reminder'::text)),
  constraint deadlines_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DONE'::text, 'CANCELED'::text, 'HELD'::text]))),
  constraint reminder_of CHECK (((kind = 'reminder'::text) = (of_kind IS NOT NULL)))
);
CREATE INDEX deadlines_next ON public.deadlines USING btree (at, id) WHERE (status = 'PENDING'::text);
CREATE INDEX deadlines_order ON public.deadlines USING btree (marketplace_id, order_id);
CREATE INDEX deadlines_refused ON public.deadlines USING btree (at) WHERE ((status = 'HELD'::text) AND (attempts > 0));

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
CREATE INDEX deposits_of_transaction ON public.deposits USING btree (marketplace_id, transaction_hash);
CREATE INDEX deposits_of_wallet ON public.deposits USING btree (marketplace_id, wallet_id, id);
CREATE INDEX deposits_settled ON public.deposits USING btree (marketplace_id, occurred_at);

create table dispute_message_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  messages integer not null,
  updated_at timestamp with time zone not null,
  constraint dispute_message_counts_pkey PRIMARY KEY (marketplace_id, id),
  constraint dispute_message_counts_messages_check CHECK ((messages > 0))
);

create table dispute_messages (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  dispute_id text not null,
  sender text not null,
  text text not null,
  author jsonb not null,
  created_at timestamp with time zone not null,
  constraint dispute_messages_pkey PRIMARY KEY (marketplace_id, id),
  constraint dispute_messages_sender_check CHECK ((sender = ANY (ARRAY['BUYER'::text, 'SELLER'::text, 'OPERATOR'::text])))
);
CREATE INDEX dispute_messages_dispute ON public.dispute_messages USING btree (marketplace_id, dispute_id, id);

create table disputes (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  order_id text not null,
  opened_by text not null,
  reason text not null,
  evidence jsonb,
  status text not null,
  assigned_to text,
  resolution_decision text,
  decision_note text,
  seller_amount bigint,
  buyer_amount bigint,
  resolved_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  milestone_ref text,
  constraint disputes_pkey PRIMARY KEY (marketplace_id, id),
  constraint decided_once CHECK (((status = 'RESOLVED'::text) = ((resolution_decision IS NOT NULL) AND (resolved_at IS NOT NULL)))),
  constraint disputes_buyer_amount_check CHECK ((buyer_amount >= 0)),
  constraint disputes_opened_by_check CHECK ((opened_by = ANY (ARRAY['BUYER'::text, 'SELLER'::text]))),
  constraint disputes_reason_check CHECK ((reason = ANY (ARRAY['NOT_DELIVERED'::text, 'QUALITY_ISSUE'::text, 'OTHER'::text]))),
  constraint disputes_resolution_decision_check CHECK ((resolution_decision = ANY (ARRAY['FULL_RELEASE'::text, 'FULL_REFUND'::text, 'SPLIT'::text]))),
  constraint disputes_seller_amount_check CHECK ((seller_amount >= 0)),
  constraint disputes_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'UNDER_REVIEW'::text, 'RESOLVED'::text])))
);
CREATE INDEX disputes_by_opener ON public.disputes USING btree (marketplace_id, opened_by, id);
CREATE INDEX disputes_by_status ON public.disputes USING btree (marketplace_id, status, id);
CREATE INDEX disputes_of_order ON public.disputes USING btree (marketplace_id, order_id);
CREATE UNIQUE INDEX disputes_one_open_of_milestone ON public.disputes USING btree (marketplace_id, order_id, milestone_ref) WHERE ((status <> 'RESOLVED'::text) AND (milestone_ref IS NOT NULL));
CREATE UNIQUE INDEX disputes_one_open_of_order ON public.disputes USING btree (marketplace_id, order_id) WHERE ((status <> 'RESOLVED'::text) AND (milestone_ref IS NULL));

create table escrows (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  order_id text not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  contract_type text not null,
  provider_contract_id text,
  buyer jsonb not null,
  seller jsonb not null,
  platform jsonb not null,
  platform_fee_bps integer not null,
  terms jsonb,
  calls jsonb not null,
  transaction_id text,
  set_aside boolean not null,
  funded_at timestamp with time zone,
  released_at timestamp with time zone,
  refunded_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint escrows_pkey PRIMARY KEY (marketplace_id, id),
  constraint escrows_amount_check CHECK ((amount > 0)),
  constraint escrows_contract_type_check CHECK ((contract_type = ANY (ARRAY['single-release'::text, 'multi-release'::text]))),
  constraint escrows_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text]))),
  constraint escrows_status_check CHECK ((status = ANY (ARRAY['CREATING'::text, 'CREATED'::text, 'FUNDING'::text, 'FUNDED'::text, 'RELEASED'::text, 'REFUNDED'::text, 'DISPUTED'::text]))),
  constraint has_contract CHECK (((status = 'CREATING'::text) OR (provider_contract_id IS NOT NULL)))
);
CREATE INDEX escrows_ended ON public.escrows USING btree (updated_at) WHERE (status = ANY (ARRAY['RELEASED'::text, 'REFUNDED'::text]));
CREATE INDEX escrows_live ON public.escrows USING btree (marketplace_id, COALESCE(funded_at, created_at)) INCLUDE (order_id, currency, funded_at, created_at) WHERE ((NOT set_aside) AND (status <> ALL (ARRAY['CREATING'::text, 'RELEASED'::text, 'REFUNDED'::text])));
CREATE INDEX escrows_of_contract ON public.escrows USING btree (provider_contract_id) WHERE (provider_contract_id IS NOT NULL);
CREATE INDEX escrows_of_order ON public.escrows USING btree (marketplace_id, order_id);
CREATE UNIQUE INDEX escrows_one_live ON public.escrows USING btree (marketplace_id, order_id) WHERE (NOT set_aside);
CREATE INDEX escrows_open ON public.escrows USING btree (marketplace_id, provider_contract_id) WHERE ((provider_contract_id IS NOT NULL) AND (status <> ALL (ARRAY['RELEASED'::text, 'REFUNDED'::text])));
CREATE INDEX escrows_polled ON public.escrows USING btree (marketplace_id, id) WHERE ((NOT set_aside) AND (status = ANY (ARRAY['CREATED'::text, 'FUNDING'::text, 'FUNDED'::text])));

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
CREATE INDEX events_of_correction ON public.events USING btree (marketplace_id, aggregate_id, "position") WHERE (aggregate_type = 'Correction'::text);
CREATE INDEX events_of_order ON public.events USING btree (marketplace_id, aggregate_id, "position") WHERE (aggregate_type = ANY (ARRAY['Order'::text, 'Escrow'::text, 'Dispute'::text]));

create table evidence (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  dispute_id text not null,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null,
  submitted_by text not null,
  description text,
  author jsonb not null,
  created_at timestamp with time zone not null,
  constraint evidence_pkey PRIMARY KEY (marketplace_id, id),
  constraint evidence_size_bytes_check CHECK ((size_bytes > 0)),
  constraint evidence_submitted_by_check CHECK ((submitted_by = ANY (ARRAY['BUYER'::text, 'SELLER'::text, 'OPERATOR'::text])))
);
CREATE INDEX evidence_dispute ON public.evidence USING btree (marketplace_id, dispute_id, id);

create table evidence_contents (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  content bytea storage external not null,
  constraint evidence_contents_pkey PRIMARY KEY (marketplace_id, id)
);

create table evidence_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  files integer not null,
  bytes bigint not null,
  updated_at timestamp with time zone not null,
  constraint evidence_counts_pkey PRIMARY KEY (marketplace_id, id),
  constraint evidence_counts_bytes_check CHECK ((bytes > 0)),
  constraint evidence_counts_files_check CHECK ((files > 0))
);

create table fee_marks (
  marketplace_id text not null,
  account_id text not null,
  seq bigint not null,
  constraint fee_marks_pkey PRIMARY KEY (marketplace_id, account_id),
  constraint fee_marks_seq_check CHECK ((seq >= 0))
);

create table fee_sums (
  marketplace_id text not null,
  account_id text not null,
  day date not null,
  earned text not null,
  reversed text not null,
  network text not null,
  provider text not null,
  constraint fee_sums_pkey PRIMARY KEY (marketplace_id, account_id, day),
  constraint fee_sums_earned_check CHECK ((earned ~ '^-?[0-9]+$'::text)),
  constraint fee_sums_network_check CHECK ((network ~ '^-?[0-9]+$'::text)),
  constraint fee_sums_provider_check CHECK ((provider ~ '^-?[0-9]+$'::text)),
  constraint fee_sums_reversed_check CHECK ((reversed ~ '^-?[0-9]+$'::text))
);

create table float_openings (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  amount bigint not null,
  created_at timestamp with time zone not null,
  constraint float_openings_pkey PRIMARY KEY (marketplace_id, id),
  constraint float_openings_amount_check CHECK ((amount >= 0))
);

create table float_transfers (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  direction text not null,
  counterpart text not null,
  amount bigint not null,
  request_key text,
  arrived_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint float_transfers_pkey PRIMARY KEY (marketplace_id, id),
  constraint float_transfers_amount_check CHECK ((amount > 0)),
  constraint float_transfers_direction_check CHECK ((direction = ANY (ARRAY['given'::text, 'received'::text])))
);
CREATE INDEX float_transfers_in_transit ON public.float_transfers USING btree (created_at) WHERE (arrived_at IS NULL);
CREATE UNIQUE INDEX float_transfers_of_request ON public.float_transfers USING btree (marketplace_id, request_key) WHERE (request_key IS NOT NULL);

create table floats (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  allotted bigint not null,
  pending_payouts bigint not null,
  credit_line bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint floats_pkey PRIMARY KEY (marketplace_id, id),
  constraint floats_allotted_check CHECK ((allotted >= 0)),
  constraint floats_credit_line_check CHECK ((credit_line >= 0)),
  constraint floats_id_check CHECK ((id = 'USD'::text)),
  constraint floats_pending_payouts_check CHECK ((pending_payouts >= 0))
);

create table hint_counts (
  marketplace_id text not null,
  id text not null,
  hints integer not null,
  ends_at timestamp with time zone not null,
  constraint hint_counts_pkey PRIMARY KEY (marketplace_id, id),
  constraint hint_counts_hints_check CHECK ((hints > 0))
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

create table ledger_bumps (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  transaction_id text not null,
  envelope text not null,
  bid bigint not null,
  created_at timestamp with time zone not null,
  constraint ledger_bumps_pkey PRIMARY KEY (marketplace_id, id),
  constraint ledger_bumps_bid_check CHECK ((bid > 0))
);
CREATE INDEX ledger_bumps_of_transaction ON public.ledger_bumps USING btree (marketplace_id, transaction_id);

create table ledger_cursors (
  marketplace_id text not null,
  id text not null,
  cursor bigint not null,
  caught_up boolean not null,
  updated_at timestamp with time zone not null,
  place text,
  latest_ledger bigint,
  reached_ledger bigint,
  reached_at timestamp with time zone,
  constraint ledger_cursors_pkey PRIMARY KEY (marketplace_id, id)
);

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
  sequence text default ''::text not null,
  ending text,
  constraint ledger_transactions_pkey PRIMARY KEY (marketplace_id, id),
  constraint ended CHECK (((state = 'FAILED'::text) = (ending IS NOT NULL))),
  constraint ledger_transactions_ending_check CHECK ((ending = ANY (ARRAY['failed'::text, 'rejected'::text, 'expired'::text]))),
  constraint ledger_transactions_state_check CHECK ((state = ANY (ARRAY['SIGNED'::text, 'SUCCEEDED'::text, 'FAILED'::text])))
);
CREATE INDEX ledger_transactions_number ON public.ledger_transactions USING btree (marketplace_id, (((source || ':'::text) || sequence)));
CREATE INDEX ledger_transactions_of_order ON public.ledger_transactions USING btree (marketplace_id, (((actions -> 0) ->> 'orderId'::text))) WHERE (((actions -> 0) ->> 'orderId'::text) IS NOT NULL);
CREATE UNIQUE INDEX ledger_transactions_one_open ON public.ledger_transactions USING btree (marketplace_id, source) WHERE (state = 'SIGNED'::text);
CREATE INDEX ledger_transactions_open ON public.ledger_transactions USING btree (marketplace_id, created_at) WHERE (state = 'SIGNED'::text);
CREATE INDEX ledger_transactions_rejected ON public.ledger_transactions USING btree (marketplace_id, source, created_at) WHERE (ending = 'rejected'::text);

create table login_attempts (
  marketplace_id text not null,
  id text not null,
  attempts integer not null,
  ends_at timestamp with time zone not null,
  constraint login_attempts_pkey PRIMARY KEY (marketplace_id, id),
  constraint login_attempts_attempts_check CHECK ((attempts >= 0))
);
CREATE INDEX login_attempts_ended ON public.login_attempts USING btree (ends_at);

create table marketplace_limits (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  manual_credit_per_user_day bigint,
  manual_credit_per_day bigint,
  withdrawal_per_user_day bigint,
  withdrawal_per_day bigint,
  updated_at timestamp with time zone not null,
  constraint marketplace_limits_pkey PRIMARY KEY (marketplace_id, id),
  constraint marketplace_limits_id_check CHECK ((id = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text]))),
  constraint marketplace_limits_manual_credit_per_day_check CHECK ((manual_credit_per_day >= 0)),
  constraint marketplace_limits_manual_credit_per_user_day_check CHECK ((manual_credit_per_user_day >= 0)),
  constraint marketplace_limits_withdrawal_per_day_check CHECK ((withdrawal_per_day >= 0)),
  constraint marketplace_limits_withdrawal_per_user_day_check CHECK ((withdrawal_per_user_day >= 0))
);

create table marketplaces (
  marketplace_id text not null,
  created_at timestamp with time zone default now() not null,
  event_position bigint default 0 not null,
  event_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  audit_seq bigint default 0 not null,
  audit_hash text default ''::text not null,
  constraint marketplaces_pkey PRIMARY KEY (marketplace_id)
) with (fillfactor=50);

create table milestones (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  order_id text not null,
  place integer not null,
  ref text not null,
  title text not null,
  amount bigint not null,
  status text not null,
  completed_at timestamp with time zone,
  released_amount bigint,
  refunded_amount bigint,
  fee bigint,
  dispute_id text,
  constraint milestones_pkey PRIMARY KEY (marketplace_id, id),
  constraint milestones_marketplace_id_order_id_ref_key UNIQUE (marketplace_id, order_id, ref),
  constraint completed_once CHECK (
CASE status
    WHEN 'OPEN'::text THEN (completed_at IS NULL)
    WHEN 'COMPLETED'::text THEN (completed_at IS NOT NULL)
    ELSE true
END),
  constraint milestones_amount_check CHECK ((amount > 0)),
  constraint milestones_place_check CHECK (((place >= 0) AND (place <= 9))),
  constraint milestones_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'COMPLETED'::text, 'DISPUTED'::text, 'RELEASED'::text, 'REFUNDED'::text]))),
  constraint paid_whole CHECK (
CASE
    WHEN (status = ANY (ARRAY['RELEASED'::text, 'REFUNDED'::text])) THEN COALESCE(((released_amount >= 0) AND (refunded_amount >= 0) AND ((released_amount + refunded_amount) = amount) AND ((fee >= 0) AND (fee <= released_amount))), false)
    ELSE ((released_amount IS NULL) AND (refunded_amount IS NULL) AND (fee IS NULL))
END)
);

create table moved_wallets (
  marketplace_id text not null,
  id text not null,
  moved_at timestamp with time zone not null,
  constraint moved_wallets_pkey PRIMARY KEY (marketplace_id, id)
);
CREATE INDEX moved_wallets_by_time ON public.moved_wallets USING btree (moved_at);

create table note_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  notes integer not null,
  updated_at timestamp with time zone not null,
  constraint note_counts_pkey PRIMARY KEY (marketplace_id, id),
  constraint note_counts_notes_check CHECK ((notes > 0))
);

create table notes (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  resource_type text not null,
  resource_id text not null,
  text text not null,
  author jsonb not null,
  created_at timestamp with time zone not null,
  constraint notes_pkey PRIMARY KEY (marketplace_id, id),
  constraint notes_resource_type_check CHECK ((resource_type = ANY (ARRAY['order'::text, 'dispute'::text, 'user'::text, 'break'::text, 'withdrawal'::text, 'topup'::text])))
);
CREATE INDEX notes_resource ON public.notes USING btree (marketplace_id, resource_id, id);
CREATE INDEX notes_type ON public.notes USING btree (marketplace_id, resource_type, id);

create table opening_credits (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  amount bigint not null,
  created_at timestamp with time zone not null,
  constraint opening_credits_pkey PRIMARY KEY (marketplace_id, id)
);

create table operations (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null,
  order_id text not null,
  escrow_id text not null,
  dispute_id text,
  state text not null,
  step text,
  attempts integer not null,
  ask jsonb not null,
  wallet_id text,
  currency text not null,
  amount bigint not null,
  failure text,
  next_attempt_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint operations_pkey PRIMARY KEY (marketplace_id, id),
  constraint operations_amount_check CHECK ((amount > 0)),
  constraint operations_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text]))),
  constraint operations_kind_check CHECK ((kind = ANY (ARRAY['create-escrow'::text, 'fund-escrow'::text, 'release'::text, 'refund'::text, 'resolve-dispute'::text, 'release-milestone'::text, 'refund-milestone'::text]))),
  constraint operations_state_check CHECK ((state = ANY (ARRAY['RUNNING'::text, 'DONE'::text, 'FAILED'::text])))
);
CREATE INDEX operations_by_kind ON public.operations USING btree (marketplace_id, kind, id);
CREATE INDEX operations_by_state ON public.operations USING btree (marketplace_id, state, id);
CREATE INDEX operations_by_state_and_kind ON public.operations USING btree (marketplace_id, state, kind, id);
CREATE INDEX operations_of_order ON public.operations USING btree (marketplace_id, order_id, id);
CREATE UNIQUE INDEX operations_one_running ON public.operations USING btree (marketplace_id, order_id) WHERE (state = 'RUNNING'::text);
CREATE INDEX operations_paying ON public.operations USING btree (marketplace_id, wallet_id) WHERE ((state = 'RUNNING'::text) AND (wallet_id IS NOT NULL));
CREATE INDEX operations_running ON public.operations USING btree (next_attempt_at) WHERE (state = 'RUNNING'::text);

create table operator_claims (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null,
  operator_marketplace text not null,
  operator_id text not null,
  updated_at timestamp with time zone not null,
  constraint operator_claims_pkey PRIMARY KEY (marketplace_id, id),
  constraint operator_claims_kind_check CHECK ((kind = 'email'::text))
);
CREATE INDEX operator_claims_kind ON public.operator_claims USING btree (marketplace_id, kind);

create table operator_passkeys (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  operator_id text not null,
  state text not null,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint operator_passkeys_pkey PRIMARY KEY (marketplace_id, id),
  constraint operator_passkeys_counter_check CHECK ((counter >= 0)),
  constraint operator_passkeys_state_check CHECK ((state = ANY (ARRAY['live'::text, 'removed'::text])))
);
CREATE INDEX operator_passkeys_operator ON public.operator_passkeys USING btree (marketplace_id, operator_id) WHERE (state = 'live'::text);

create table operator_session_uses (
  marketplace_id text not null,
  session_id text not null,
  last_used_at timestamp with time zone not null,
  constraint operator_session_uses_pkey PRIMARY KEY (marketplace_id, session_id)
);

create table operator_sessions (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  operator_id text not null,
  secret_hash text not null,
  method text not null,
  address text not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint operator_sessions_pkey PRIMARY KEY (marketplace_id, id),
  constraint operator_sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'passkey'::text, 'single-sign-on'::text, 'invitation'::text])))
);
CREATE INDEX operator_sessions_ended ON public.operator_sessions USING btree (marketplace_id, expires_at);
CREATE INDEX operator_sessions_open ON public.operator_sessions USING btree (marketplace_id, operator_id, id) WHERE (ended_at IS NULL);

create table operators (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  email text not null,
  email_key text not null,
  name text not null,
  role text not null,
  is_everywhere boolean not null,
  state text not null,
  status text not null,
  password_hash text,
  sealed_totp text,
  totp_step bigint not null,
  recovery_hashes text[] not null,
  single_sign_on text,
  invite_hash text,
  invite_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint operators_pkey PRIMARY KEY (marketplace_id, id),
  constraint everywhere_from_default CHECK (((NOT is_everywhere) OR (marketplace_id = 'mkt_default'::text))),
  constraint invite_whole CHECK (((invite_hash IS NULL) = (invite_expires_at IS NULL))),
  constraint operators_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'finance'::text, 'admin'::text]))),
  constraint operators_state_check CHECK ((state = ANY (ARRAY['live'::text, 'deleted'::text]))),
  constraint operators_status_check CHECK ((status = ANY (ARRAY['INVITED'::text, 'ACTIVE'::text, 'DISABLED'::text])))
);
CREATE INDEX operators_state ON public.operators USING btree (marketplace_id, state, id);

create table orders (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  buyer_id text not null,
  seller_id text not null,
  amount bigint not null,
  currency text not null,
  title text not null,
  description text,
  client_order_ref text,
  metadata jsonb not null,
  platform_fee_bps integer not null,
  status text not null,
  final_status text,
  escrow_id text,
  dispute_id text,
  operation_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  fee_terms jsonb,
  policy_id text,
  constraint orders_pkey PRIMARY KEY (marketplace_id, id),
  constraint carried_out CHECK (((operation_id IS NOT NULL) OR (status <> ALL (ARRAY['RELEASE_REQUESTED'::text, 'REFUND_REQUESTED'::text])))),
  constraint closed_somehow CHECK (((status = 'CLOSED'::text) = (final_status IS NOT NULL))),
  constraint orders_amount_check CHECK ((amount > 0)),
  constraint orders_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text]))),
  constraint orders_final_status_check CHECK ((final_status = ANY (ARRAY['RELEASED'::text, 'REFUNDED'::text, 'SPLIT'::text, 'CANCELED'::text]))),
  constraint orders_platform_fee_bps_check CHECK (((platform_fee_bps >= 0) AND (platform_fee_bps <= 9900))),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['ORDER_CREATED'::text, 'FUNDS_RESERVED'::text, 'ESCROW_CREATING'::text, 'ESCROW_FUNDING'::text, 'IN_PROGRESS'::text, 'RELEASE_REQUESTED'::text, 'RELEASED'::text, 'REFUND_REQUESTED'::text, 'REFUNDED'::text, 'DISPUTED'::text, 'CLOSED'::text]))),
  constraint two_parties CHECK ((buyer_id <> seller_id))
);
CREATE INDEX orders_by_status ON public.orders USING btree (marketplace_id, status, id);
CREATE UNIQUE INDEX orders_client_ref ON public.orders USING btree (marketplace_id, client_order_ref) WHERE (client_order_ref IS NOT NULL);
CREATE INDEX orders_client_ref_prefix ON public.orders USING btree (marketplace_id, client_order_ref text_pattern_ops) WHERE (client_order_ref IS NOT NULL);
CREATE INDEX orders_closed ON public.orders USING btree (marketplace_id, updated_at) WHERE (status = 'CLOSED'::text);
CREATE INDEX orders_disputed_of_buyer ON public.orders USING btree (marketplace_id, buyer_id) WHERE (dispute_id IS NOT NULL);
CREATE INDEX orders_disputed_of_seller ON public.orders USING btree (marketplace_id, seller_id) WHERE (dispute_id IS NOT NULL);
CREATE INDEX orders_of_both_parties ON public.orders USING btree (marketplace_id, buyer_id, seller_id, id);
CREATE INDEX orders_of_buyer ON public.orders USING btree (marketplace_id, buyer_id, id);
CREATE INDEX orders_of_buyer_by_status ON public.orders USING btree (marketplace_id, buyer_id, status, id);
CREATE INDEX orders_of_seller ON public.orders USING btree (marketplace_id, seller_id, id);
CREATE INDEX orders_of_seller_by_status ON public.orders USING btree (marketplace_id, seller_id, status, id);

create table payment_holds (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  held boolean not null,
  reason text not null,
  transactions jsonb not null,
  accepted jsonb not null,
  since timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  books_until timestamp with time zone,
  compared jsonb default '[]'::jsonb not null,
  held_by text,
  constraint payment_holds_pkey PRIMARY KEY (marketplace_id, id)
);
CREATE INDEX payment_holds_open ON public.payment_holds USING btree (marketplace_id, since) WHERE held;

create table people (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  email text not null,
  email_key text not null,
  name text not null,
  password_hash text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint people_pkey PRIMARY KEY (marketplace_id, id),
  constraint people_marketplace_id_email_key_key UNIQUE (marketplace_id, email_key)
);

create table policies (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  name text not null,
  policy_version integer not null,
  rules jsonb not null,
  created_at timestamp with time zone not null,
  constraint policies_pkey PRIMARY KEY (marketplace_id, id),
  constraint policies_policy_version_check CHECK ((policy_version > 0))
);
CREATE INDEX policies_first ON public.policies USING btree (marketplace_id) WHERE (policy_version = 1);
CREATE UNIQUE INDEX policies_name ON public.policies USING btree (marketplace_id, name, policy_version);

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
CREATE INDEX postings_in_time ON public.postings USING brin (posted_at) WITH (pages_per_range='64', autosummarize='on');
CREATE TRIGGER postings_append_only BEFORE UPDATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER postings_leave_archived AFTER DELETE ON public.postings REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_unarchived_posting();
CREATE TRIGGER postings_stay BEFORE TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table projects (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  owner_id text not null,
  title text not null,
  description text not null,
  budget bigint not null,
  currency text not null,
  order_id text,
  claimed_until timestamp with time zone,
  answered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint projects_pkey PRIMARY KEY (marketplace_id, id),
  constraint claimed_with_order CHECK (((order_id IS NOT NULL) OR ((claimed_until IS NULL) AND (answered_at IS NULL)))),
  constraint projects_budget_check CHECK ((budget > 0)),
  constraint projects_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text])))
);
CREATE INDEX projects_of_owner ON public.projects USING btree (marketplace_id, owner_id, created_at, id);
CREATE INDEX projects_unanswered ON public.projects USING btree (marketplace_id, order_id) WHERE ((order_id IS NOT NULL) AND (answered_at IS NULL));

create table proof_checkpoints (
  marketplace_id text not null,
  number bigint not null,
  is_full boolean not null,
  audit_seq bigint not null,
  audit_hash text not null,
  postings bigint not null,
  accounts bigint not null,
  sums text not null,
  made_at timestamp with time zone not null,
  previous_hash text not null,
  hash text not null,
  constraint proof_checkpoints_pkey PRIMARY KEY (marketplace_id, number),
  constraint proof_checkpoints_accounts_check CHECK ((accounts >= 0)),
  constraint proof_checkpoints_audit_seq_check CHECK ((audit_seq > 0)),
  constraint proof_checkpoints_number_check CHECK ((number > 0)),
  constraint proof_checkpoints_postings_check CHECK ((postings >= 0))
);
CREATE TRIGGER checkpoints_do_not_change BEFORE UPDATE ON public.proof_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER checkpoints_stay BEFORE TRUNCATE ON public.proof_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table proofs (
  marketplace_id text not null,
  holds boolean not null,
  checked_at timestamp with time zone not null,
  differences jsonb not null,
  full_holds boolean,
  full_checked_at timestamp with time zone,
  full_problems text,
  constraint proofs_pkey PRIMARY KEY (marketplace_id)
);

create table provider_account_claims (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  claimed_by text not null,
  created_at timestamp with time zone not null,
  constraint provider_account_claims_pkey PRIMARY KEY (marketplace_id, id),
  constraint provider_account_claims_marketplace_id_check CHECK ((marketplace_id = 'mkt_default'::text))
);

create table provider_credentials (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  provider text not null,
  provider_account text not null,
  base_url text,
  payer_url text,
  sealed_secrets text not null,
  created_at timestamp with time zone not null,
  replaced_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  constraint provider_credentials_pkey PRIMARY KEY (marketplace_id, id),
  constraint provider_credentials_provider_check CHECK ((provider = 'payment-provider'::text))
);
CREATE UNIQUE INDEX provider_credentials_current ON public.provider_credentials USING btree (marketplace_id, provider) WHERE (replaced_at IS NULL);

create table provider_statement_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  statements integer not null,
  lines integer not null,
  updated_at timestamp with time zone not null,
  constraint provider_statement_counts_pkey PRIMARY KEY (marketplace_id, id),
  constraint provider_statement_counts_lines_check CHECK ((lines >= 0)),
  constraint provider_statement_counts_statements_check CHECK ((statements > 0))
);

create table provider_statement_lines (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  statement_id text not null,
  number integer not null,
  at timestamp with time zone not null,
  reference text,
  amount bigint not null,
  currency text not null,
  type text,
  fee bigint,
  description text,
  constraint provider_statement_lines_pkey PRIMARY KEY (marketplace_id, id),
  constraint provider_statement_lines_number_check CHECK ((number > 0))
);
CREATE INDEX provider_statement_lines_of ON public.provider_statement_lines USING btree (marketplace_id, statement_id, number);

create table provider_statements (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  system text not null,
  file_name text not null,
  sha256 text not null,
  request_hash text not null,
  size_bytes integer not null,
  lines integer not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  tolerance_minutes integer not null,
  columns jsonb not null,
  author jsonb not null,
  created_at timestamp with time zone not null,
  constraint provider_statements_pkey PRIMARY KEY (marketplace_id, id),
  constraint provider_statements_lines_check CHECK ((lines >= 0)),
  constraint provider_statements_size_bytes_check CHECK ((size_bytes > 0)),
  constraint provider_statements_system_check CHECK ((system = ANY (ARRAY['payment-provider'::text, 'ledger-network'::text]))),
  constraint provider_statements_tolerance_minutes_check CHECK ((tolerance_minutes >= 0)),
  constraint some_range CHECK ((from_at < to_at))
);
CREATE UNIQUE INDEX provider_statements_request ON public.provider_statements USING btree (marketplace_id, request_hash);

create table receipt_links (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  token_hash text not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint receipt_links_pkey PRIMARY KEY (marketplace_id, id)
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
  locked boolean default false not null,
  constraint reservations_pkey PRIMARY KEY (marketplace_id, id),
  constraint remaining_in_range CHECK (((remaining >= 0) AND (remaining <= amount))),
  constraint reservations_amount_check CHECK ((amount > 0)),
  constraint reservations_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text])))
) with (fillfactor=70);
CREATE INDEX reservations_active ON public.reservations USING btree (marketplace_id, (((user_id || ':'::text) || currency))) WHERE (remaining > 0);
CREATE INDEX reservations_of_order ON public.reservations USING btree (marketplace_id, (((user_id || ':'::text) || order_ref)));
CREATE INDEX reservations_of_user ON public.reservations USING btree (marketplace_id, user_id, opened_at, id);

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table settlement_gains (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  amount bigint not null,
  compared_to text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint settlement_gains_pkey PRIMARY KEY (marketplace_id, id),
  constraint settlement_gains_amount_check CHECK ((amount >= 0))
);

create table sync_gains (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  amount bigint not null,
  compared_to text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint sync_gains_pkey PRIMARY KEY (marketplace_id, id),
  constraint sync_gains_amount_check CHECK ((amount >= 0))
);

create table topups (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  user_id text not null,
  amount bigint not null,
  currency text not null,
  description text,
  status text not null,
  provider_payin_id text,
  confirmation_uri text,
  return_url text,
  cancel_url text,
  cancel_ask jsonb,
  failure_reason text,
  error_code text,
  fee bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  next_look_at timestamp with time zone default (now() + '00:01:00'::interval) not null,
  request_key text,
  credentials_id text,
  provider_account text,
  late_amount bigint,
  corrected_at timestamp with time zone,
  constraint topups_pkey PRIMARY KEY (marketplace_id, id),
  constraint confirmed_somewhere CHECK (((status <> 'TOPUP_AWAITING_USER_CONFIRMATION'::text) OR (confirmation_uri IS NOT NULL))),
  constraint fee_of_payment CHECK (((fee IS NULL) OR (status = 'TOPUP_SUCCEEDED'::text) OR (late_amount IS NOT NULL))),
  constraint late_after_end CHECK (((late_amount IS NULL) OR (status = ANY (ARRAY['TOPUP_FAILED'::text, 'TOPUP_CANCELED'::text, 'TOPUP_SUCCEEDED'::text])))),
  constraint own_account CHECK (((credentials_id IS NULL) = (provider_account IS NULL))),
  constraint topups_amount_check CHECK ((amount > 0)),
  constraint topups_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text]))),
  constraint topups_fee_check CHECK ((fee >= 0)),
  constraint topups_late_amount_check CHECK ((late_amount > 0)),
  constraint topups_status_check CHECK ((status = ANY (ARRAY['TOPUP_CREATED'::text, 'TOPUP_AWAITING_USER_CONFIRMATION'::text, 'TOPUP_PROCESSING'::text, 'TOPUP_SUCCEEDED'::text, 'TOPUP_FAILED'::text, 'TOPUP_CANCELED'::text])))
);
CREATE INDEX topups_by_status ON public.topups USING btree (marketplace_id, status, id);
CREATE INDEX topups_of_own_account ON public.topups USING btree (id) WHERE (provider_account IS NOT NULL);
CREATE INDEX topups_of_payin ON public.topups USING btree (provider_payin_id) WHERE (provider_payin_id IS NOT NULL);
CREATE UNIQUE INDEX topups_of_request ON public.topups USING btree (marketplace_id, request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX topups_of_user ON public.topups USING btree (marketplace_id, user_id, id);
CREATE INDEX topups_paid_late ON public.topups USING btree (marketplace_id, id) WHERE (late_amount IS NOT NULL);
CREATE INDEX topups_settled ON public.topups USING btree (marketplace_id, updated_at) WHERE (status = 'TOPUP_SUCCEEDED'::text);
CREATE INDEX topups_to_look_at ON public.topups USING btree (next_look_at) WHERE ((status = ANY (ARRAY['TOPUP_CREATED'::text, 'TOPUP_AWAITING_USER_CONFIRMATION'::text, 'TOPUP_PROCESSING'::text])) OR ((status = 'TOPUP_SUCCEEDED'::text) AND (fee IS NULL)));
CREATE INDEX topups_to_watch ON public.topups USING btree (next_look_at) WHERE ((status = ANY (ARRAY['TOPUP_FAILED'::text, 'TOPUP_CANCELED'::text])) AND (late_amount IS NULL) AND (next_look_at < 'infinity'::timestamp with time zone));

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
  constraint treasury_payments_amount_check CHECK (((amount > 0) OR ((amount = 0) AND (kind = 'activate'::text)))),
  constraint treasury_payments_asset_check CHECK ((asset = ANY (ARRAY['USDC'::text, 'XLM'::text]))),
  constraint treasury_payments_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text]))),
  constraint treasury_payments_kind_check CHECK ((kind = ANY (ARRAY['activate'::text, 'pay'::text]))),
  constraint treasury_payments_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'DONE'::text, 'FAILED'::text])))
);
CREATE INDEX treasury_payments_of_reference ON public.treasury_payments USING btree (marketplace_id, reference) WHERE (reference IS NOT NULL);
CREATE INDEX treasury_payments_of_wallet ON public.treasury_payments USING btree (marketplace_id, (((wallet_id || ':'::text) || kind))) WHERE ((kind = 'activate'::text) OR (state = ANY (ARRAY['QUEUED'::text, 'SENT'::text])));
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
  payment_account_id text,
  payment_account_email text,
  payment_account_active_from timestamp with time zone,
  name text,
  constraint users_pkey PRIMARY KEY (marketplace_id, id),
  constraint users_marketplace_id_external_user_id_key UNIQUE (marketplace_id, external_user_id),
  constraint users_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text, 'PENDING_VERIFICATION'::text]))),
  constraint users_type_check CHECK ((type = ANY (ARRAY['BUYER'::text, 'SELLER'::text, 'BOTH'::text])))
);
CREATE INDEX users_by_status ON public.users USING btree (marketplace_id, status, id);
CREATE INDEX users_by_type ON public.users USING btree (marketplace_id, type, id);
CREATE INDEX users_by_type_and_status ON public.users USING btree (marketplace_id, (((type || ' '::text) || status)), id);
CREATE INDEX users_email_prefix ON public.users USING btree (marketplace_id, lower(email) text_pattern_ops) WHERE (email IS NOT NULL);
CREATE INDEX users_external_id_prefix ON public.users USING btree (marketplace_id, external_user_id text_pattern_ops);
CREATE INDEX users_name_prefix ON public.users USING btree (marketplace_id, lower(name) text_pattern_ops) WHERE (name IS NOT NULL);

create table wallet_key_holders (
  marketplace_id text not null,
  id text not null,
  host text not null,
  key_ids text[] not null,
  sealing_key_id text not null,
  confirmed_key_id text,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint wallet_key_holders_pkey PRIMARY KEY (marketplace_id, id)
);

create table wallet_keys (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  sealing_key_id text not null,
  sealing_probe text not null,
  announced_key_id text,
  announced_probe text,
  finished_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint wallet_keys_pkey PRIMARY KEY (marketplace_id, id),
  constraint wallet_keys_check CHECK (((announced_key_id IS NULL) = (announced_probe IS NULL))),
  constraint wallet_keys_id_check CHECK ((id = 'current'::text)),
  constraint wallet_keys_marketplace_id_check CHECK ((marketplace_id = 'mkt_default'::text))
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
  activation_requested_at timestamp with time zone,
  proved_at timestamp with time zone,
  sponsored_reserves integer default 0 not null,
  constraint wallets_pkey PRIMARY KEY (marketplace_id, id),
  constraint wallets_marketplace_id_address_key UNIQUE (marketplace_id, address),
  constraint owned CHECK (((owner = 'user'::text) = (user_id IS NOT NULL))),
  constraint proved_is_linked CHECK (((proved_at IS NULL) OR (type = 'EXTERNAL'::text))),
  constraint sealed CHECK (((type = 'INVISIBLE'::text) = (sealed_secret IS NOT NULL))),
  constraint wallets_owner_check CHECK ((owner = ANY (ARRAY['user'::text, 'treasury'::text, 'platform'::text]))),
  constraint wallets_sponsored_reserves_check CHECK ((sponsored_reserves >= 0)),
  constraint wallets_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text]))),
  constraint wallets_type_check CHECK ((type = ANY (ARRAY['INVISIBLE'::text, 'EXTERNAL'::text])))
);
CREATE INDEX wallets_at_address ON public.wallets USING hash (address) WHERE (type = 'INVISIBLE'::text);
CREATE INDEX wallets_of_owner ON public.wallets USING btree (marketplace_id, (((owner || ':'::text) || COALESCE(user_id, ''::text))));
CREATE INDEX wallets_of_platform ON public.wallets USING btree (marketplace_id, owner) WHERE (owner <> 'user'::text);
CREATE INDEX wallets_to_activate ON public.wallets USING btree (activation_requested_at) WHERE ((status = 'PENDING'::text) AND (activation_requested_at IS NOT NULL));

create table webhook_cursors (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  "position" bigint not null,
  replays integer not null,
  missed bigint not null,
  failures integer not null,
  failing_since timestamp with time zone,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  constraint webhook_cursors_pkey PRIMARY KEY (marketplace_id, id),
  constraint failing_by_failures CHECK (((failures = 0) = (failing_since IS NULL))),
  constraint webhook_cursors_failures_check CHECK ((failures >= 0)),
  constraint webhook_cursors_missed_check CHECK ((missed >= 0)),
  constraint webhook_cursors_position_check CHECK (("position" >= 0)),
  constraint webhook_cursors_replays_check CHECK ((replays >= 0))
);

create table webhook_deliveries (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  aggregate_id text not null,
  "position" bigint,
  envelope text,
  status text not null,
  attempts jsonb not null,
  attempt_count integer not null,
  tries integer not null,
  last_status integer,
  last_duration_ms integer,
  next_attempt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (marketplace_id, id),
  constraint delivered_has_a_time CHECK (((status <> 'DELIVERED'::text) OR (delivered_at IS NOT NULL))),
  constraint has_text_or_position CHECK ((("position" IS NULL) = (envelope IS NOT NULL))),
  constraint pending_has_a_time CHECK (((status = 'PENDING'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_attempt_count_check CHECK ((attempt_count >= 0)),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text]))),
  constraint webhook_deliveries_tries_check CHECK ((tries >= 0))
);
CREATE INDEX webhook_deliveries_created ON public.webhook_deliveries USING btree (marketplace_id, created_at);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (marketplace_id, endpoint_id, next_attempt_at, id) WHERE (status = 'PENDING'::text);
CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries USING btree (marketplace_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (marketplace_id, event_id, id);
CREATE INDEX webhook_deliveries_holding ON public.webhook_deliveries USING btree (marketplace_id, endpoint_id, id) WHERE ((status = 'PENDING'::text) AND (tries < 3));
CREATE INDEX webhook_deliveries_open ON public.webhook_deliveries USING btree (marketplace_id, endpoint_id, status, id) WHERE (status <> 'DELIVERED'::text);
CREATE INDEX webhook_deliveries_open_anywhere ON public.webhook_deliveries USING btree (marketplace_id, status, id) WHERE (status <> 'DELIVERED'::text);
CREATE INDEX webhook_deliveries_type ON public.webhook_deliveries USING btree (marketplace_id, event_type, id);

create table webhook_endpoints (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  state text not null,
  url text not null,
  events text[] not null,
  description text,
  is_enabled boolean not null,
  disabled_reason text,
  payload text not null,
  signature text not null,
  public_key text,
  sealed_secret text not null,
  previous_sealed_secret text,
  previous_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (marketplace_id, id),
  constraint disabled_for_a_reason CHECK ((is_enabled = (disabled_reason IS NULL))),
  constraint previous_until CHECK (((previous_sealed_secret IS NULL) = (previous_expires_at IS NULL))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['REQUESTED'::text, 'GONE'::text, 'FAILED_FOR_DAYS'::text]))),
  constraint webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_endpoints_payload_check CHECK ((payload = ANY (ARRAY['full'::text, 'thin'::text]))),
  constraint webhook_endpoints_signature_check CHECK ((signature = ANY (ARRAY['v1'::text, 'v1a'::text]))),
  constraint webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['live'::text, 'deleted'::text])))
);
CREATE INDEX webhook_endpoints_state ON public.webhook_endpoints USING btree (marketplace_id, state);

create table webhook_events (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  provider text not null,
  type text not null,
  state text not null,
  signed boolean not null,
  subject_id text,
  failure text,
  attempts integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  claim jsonb,
  next_attempt_at timestamp with time zone,
  contradictions integer default 0 not null,
  constraint webhook_events_pkey PRIMARY KEY (marketplace_id, id),
  constraint webhook_events_provider_check CHECK ((provider = ANY (ARRAY['escrow-provider'::text, 'payment-provider'::text]))),
  constraint webhook_events_state_check CHECK ((state = ANY (ARRAY['PROCESSED'::text, 'FAILED'::text, 'PENDING'::text, 'SET_ASIDE'::text])))
);
CREATE INDEX webhook_events_decided ON public.webhook_events USING btree (marketplace_id, updated_at) WHERE ((state <> 'PENDING'::text) AND (next_attempt_at IS NULL));
CREATE INDEX webhook_events_due ON public.webhook_events USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

create table withdrawals (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  user_id text not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  destination_type text not null,
  destination_ref text,
  address text,
  email text,
  wallet_id text,
  paid bigint not null,
  provider_payout_id text,
  transaction_id text,
  refusal jsonb,
  action_required text,
  action_url text,
  failure_reason text,
  error_code text,
  canceled_by text,
  committed_at timestamp with time zone,
  completed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  next_look_at timestamp with time zone default now() not null,
  credentials_id text,
  provider_account text,
  memo text,
  memo_type text,
  executed bigint,
  constraint withdrawals_pkey PRIMARY KEY (marketplace_id, id),
  constraint goes_somewhere CHECK ((((destination_type = 'crypto'::text) = (address IS NOT NULL)) AND ((address IS NULL) = (wallet_id IS NULL)) AND ((address IS NULL) <> (email IS NULL)))),
  constraint memo_is_whole CHECK (((memo IS NULL) = (memo_type IS NULL))),
  constraint memo_on_ledger CHECK (((memo IS NULL) OR (address IS NOT NULL))),
  constraint memo_type_known CHECK ((memo_type = ANY (ARRAY['text'::text, 'id'::text, 'hash'::text, 'return'::text]))),
  constraint own_account CHECK (((credentials_id IS NULL) = (provider_account IS NULL))),
  constraint paid_in_full CHECK (((status <> 'WITHDRAWAL_COMPLETED'::text) OR ((paid = amount) AND (completed_at IS NOT NULL)))),
  constraint paid_in_range CHECK (((paid >= 0) AND (paid <= amount))),
  constraint withdrawals_amount_check CHECK ((amount > 0)),
  constraint withdrawals_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'USDC'::text, 'XLM'::text]))),
  constraint withdrawals_destination_type_check CHECK ((destination_type = ANY (ARRAY['bank'::text, 'crypto'::text, 'payment_account'::text]))),
  constraint withdrawals_executed_check CHECK ((executed >= 0)),
  constraint withdrawals_status_check CHECK ((status = ANY (ARRAY['WITHDRAWAL_CREATED'::text, 'WITHDRAWAL_COMMITTED'::text, 'WITHDRAWAL_PENDING'::text, 'WITHDRAWAL_PENDING_USER_ACTION'::text, 'WITHDRAWAL_COMPLETED'::text, 'WITHDRAWAL_FAILED'::text, 'WITHDRAWAL_CANCELED'::text])))
);
CREATE INDEX withdrawals_by_status ON public.withdrawals USING btree (marketplace_id, status, id);
CREATE INDEX withdrawals_completed ON public.withdrawals USING btree (marketplace_id, completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX withdrawals_executed ON public.withdrawals USING btree (marketplace_id, id) WHERE (executed IS NOT NULL);
CREATE INDEX withdrawals_of_own_account ON public.withdrawals USING btree (id) WHERE (provider_account IS NOT NULL);
CREATE INDEX withdrawals_of_payout ON public.withdrawals USING btree (provider_payout_id) WHERE (provider_payout_id IS NOT NULL);
CREATE INDEX withdrawals_of_transaction ON public.withdrawals USING btree (marketplace_id, transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX withdrawals_of_user ON public.withdrawals USING btree (marketplace_id, user_id, id);
CREATE INDEX withdrawals_paying ON public.withdrawals USING btree (marketplace_id, wallet_id) WHERE ((status = 'WITHDRAWAL_COMMITTED'::text) AND (wallet_id IS NOT NULL));
CREATE INDEX withdrawals_returned ON public.withdrawals USING btree (marketplace_id, updated_at) WHERE (status = ANY (ARRAY['WITHDRAWAL_FAILED'::text, 'WITHDRAWAL_CANCELED'::text]));
CREATE INDEX withdrawals_to_expire ON public.withdrawals USING btree (created_at) WHERE (status = 'WITHDRAWAL_CREATED'::text);
CREATE INDEX withdrawals_to_look_at ON public.withdrawals USING btree (next_look_at) WHERE (status = ANY (ARRAY['WITHDRAWAL_COMMITTED'::text, 'WITHDRAWAL_PENDING'::text, 'WITHDRAWAL_PENDING_USER_ACTION'::text]));

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', regexp_replace(tg_table_name, '_\d+$', '') using errcode = 'HF002';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_unarchived_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  archived text := 'archived_chains';
  is_refused boolean;
begin
  if tg_table_name <> 'audit_entries' then
    select shard_name(b.logicalrelid, b.shardid) into strict archived from pg_dist_shard s join pg_dist_shard b
      on b.logicalrelid = 'archived_chains'::regclass and b.shardminvalue = s.shardminvalue
      where s.shardid = substring(tg_table_name from '\d+$')::bigint;
  end if;
  execute format('select exists (select from gone g left join %s c on c.marketplace_id = g.marketplace_id
      where c.audit_seq is null or g.seq > c.audit_seq)', archived) into is_refused;
  if is_refused then
    raise exception 'audit_entries is append-only' using errcode = 'HF002';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_unarchived_posting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  archived text := 'archived_accounts';
  is_refused boolean;
begin
  if tg_table_name <> 'postings' then
    select shard_name(b.logicalrelid, b.shardid) into strict archived from pg_dist_shard s join pg_dist_shard b
      on b.logicalrelid = 'archived_accounts'::regclass and b.shardminvalue = s.shardminvalue
      where s.shardid = substring(tg_table_name from '\d+$')::bigint;
  end if;
  execute format('select exists (select from gone g left join %s a
      on a.marketplace_id = g.marketplace_id and a.account_id = g.account_id
      where a.postings is null or g.seq > a.postings)', archived) into is_refused;
  if is_refused then
    raise exception 'postings is append-only' using errcode = 'HF002';
  end if;
  return null;
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
