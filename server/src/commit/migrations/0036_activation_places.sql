-- The limit of activations on one day for all marketplaces together. Both tables have rows of mkt_default only, so that one order of
-- commands decides for all marketplaces and processes. A wallet takes a place before its activation is queued in its own marketplace.
create table activation_places (
  marketplace_id text not null,
  -- The wallet, of any marketplace.
  id text not null,
  version integer not null,
  -- The day in UTC; null when the place was given back.
  day text check (day ~ '^\d{4}-\d\d-\d\d$'),
  primary key (marketplace_id, id)
);

create table activation_totals (
  marketplace_id text not null,
  -- The day in UTC.
  id text not null check (id ~ '^\d{4}-\d\d-\d\d$'),
  version integer not null,
  places integer not null check (places >= 0),
  primary key (marketplace_id, id)
);

-- What was activated before counts on its day.
insert into activation_totals (marketplace_id, id, version, places)
  select 'mkt_default', id, 1, sum(activations) from activation_days group by id;
