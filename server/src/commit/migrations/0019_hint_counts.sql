-- Unsigned escrow webhooks that all servers together have checked in the current minute. A count, not a part of the books: it decides
-- nothing about money. A hint belongs to no marketplace when it is counted, so there is one row, in the default marketplace.
create table hint_counts (
  marketplace_id text not null,
  -- The provider that the hints are about.
  id text not null,
  hints integer not null check (hints > 0),
  -- When the minute is over. The next hint begins another one, so the row stays.
  ends_at timestamptz not null,
  primary key (marketplace_id, id)
);
