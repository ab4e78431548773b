-- Webhooks out: the addresses that get the events of a marketplace, how far each of them is, and the log of what was sent.
create table webhook_endpoints (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  state text not null check (state in ('live', 'deleted')),
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  description text,
  is_enabled boolean not null,
  disabled_reason text check (disabled_reason in ('REQUESTED', 'GONE', 'FAILED_FOR_DAYS')),
  payload text not null check (payload in ('full', 'thin')),
  signature text not null check (signature in ('v1', 'v1a')),
  public_key text,
  sealed_secret text not null,
  previous_sealed_secret text,
  previous_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint disabled_for_a_reason check (is_enabled = (disabled_reason is null)),
  constraint previous_until check ((previous_sealed_secret is null) = (previous_expires_at is null))
);
create index webhook_endpoints_state on webhook_endpoints (marketplace_id, state);

-- Events up to the position were attempted, or did not match the filter. Without a row the first event is the one after the creation of
-- the endpoint.
create table webhook_cursors (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  position bigint not null check (position >= 0),
  -- Counts the replays. A sender that began before a replay does not move the cursor any more.
  replays integer not null check (replays >= 0),
  missed bigint not null check (missed >= 0),
  failures integer not null check (failures >= 0),
  failing_since timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint failing_by_failures check ((failures = 0) = (failing_since is null))
);

create table webhook_deliveries (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  aggregate_id text not null,
  -- Null: a test event. It is not on the stream, so the row has its text.
  position bigint,
  envelope text,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts jsonb not null,
  attempt_count integer not null check (attempt_count >= 0),
  tries integer not null check (tries >= 0),
  last_status integer,
  last_duration_ms integer,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint has_text_or_position check ((position is null) = (envelope is not null)),
  constraint pending_has_a_time check ((status = 'PENDING') = (next_attempt_at is not null)),
  constraint delivered_has_a_time check (status <> 'DELIVERED' or delivered_at is not null)
);
create index webhook_deliveries_endpoint on webhook_deliveries (marketplace_id, endpoint_id, id);
create index webhook_deliveries_event on webhook_deliveries (marketplace_id, event_id, id);
create index webhook_deliveries_type on webhook_deliveries (marketplace_id, event_type, id);
create index webhook_deliveries_open on webhook_deliveries (marketplace_id, endpoint_id, status, id)
  where status <> 'DELIVERED';
create index webhook_deliveries_open_anywhere on webhook_deliveries (marketplace_id, status, id) where status <> 'DELIVERED';
create index webhook_deliveries_created on webhook_deliveries (marketplace_id, created_at);
