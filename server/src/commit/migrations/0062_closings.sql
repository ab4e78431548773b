-- Closings: the figures of a month that never change again. Their hash is in the audit chain.
create table closings (
  marketplace_id text not null,
  id text not null check (id ~ '^\d{4}-\d{2}$'),
  version integer not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  audit_seq bigint not null check (audit_seq > 0),
  currencies jsonb not null,
  days jsonb not null,
  hash text not null,
  sealed_at timestamptz not null,
  primary key (marketplace_id, id),
  check (from_at < to_at and to_at <= sealed_at)
);
