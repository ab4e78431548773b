-- Corrections: what brought a record out of a state that no other route can leave, with its figures before and after.
create table corrections (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null,
  resource_id text not null,
  -- The order that it concerns, for the timeline.
  order_id text,
  reason text not null check (length(reason) >= 10),
  amount bigint check (amount >= 0),
  currency text,
  before jsonb not null,
  after jsonb not null,
  by jsonb not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);
create index corrections_kind on corrections (marketplace_id, kind, id);
create index corrections_resource on corrections (marketplace_id, resource_id, id);
create index corrections_order on corrections (marketplace_id, order_id, id) where order_id is not null;
