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

-- What has to happen to an order at a time. The row is committed with the state that it belongs to.
create table deadlines (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  order_id text not null,
  kind text not null check (kind in ('cancel_unfunded', 'auto_release', 'dispute_decision', 'milestone_inspection', 'reminder')),
  -- What it is about: the dispute, the milestone, or of a reminder the id of its deadline. Empty: the order.
  subject text not null,
  of_kind text check (of_kind <> 'reminder'),
  milestone_ref text,
  at timestamptz not null,
  status text not null check (status in ('PENDING', 'DONE', 'CANCELED', 'HELD')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint reminder_of check ((kind = 'reminder') = (of_kind is not null))
);
create index deadlines_order on deadlines (marketplace_id, order_id);
create index deadlines_due on deadlines (at) where status = 'PENDING';
