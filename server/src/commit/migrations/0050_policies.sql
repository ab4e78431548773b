-- Policies: named rules for orders. A version never changes, and an order keeps its version.
create table policies (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  name text not null,
  policy_version integer not null check (policy_version > 0),
  rules jsonb not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);
create unique index policies_name on policies (marketplace_id, name, policy_version);
create index policies_first on policies (marketplace_id) where policy_version = 1;

alter table orders add column policy_id text;
