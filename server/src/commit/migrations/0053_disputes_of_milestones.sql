-- Several milestones of an order may be disputed at the same time, each once. An order has at most one open dispute as a whole.
create unique index disputes_one_open_of_order on disputes (marketplace_id, order_id)
  where status <> 'RESOLVED' and milestone_ref is null;
create unique index disputes_one_open_of_milestone on disputes (marketplace_id, order_id, milestone_ref)
  where status <> 'RESOLVED' and milestone_ref is not null;
drop index disputes_one_open;
