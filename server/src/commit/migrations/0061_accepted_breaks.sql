-- Breaks that an operator has closed with a correction: a difference with the same figures is not shown again. Empty figures: it was booked.
create table accepted_breaks (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  expected text not null,
  actual text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);
