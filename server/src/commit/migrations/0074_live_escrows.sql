-- The open items report reads all live escrows, in ranges of the time since which they are open. The index has all columns that it reads.
create index escrows_live on escrows (marketplace_id, (coalesce(funded_at, created_at)))
  include (order_id, currency, funded_at, created_at)
  where not set_aside and status not in ('CREATING', 'RELEASED', 'REFUNDED');
