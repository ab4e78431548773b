-- One row for each opening balance, by user, currency and reference, so that an import that is repeated books none twice.
create table opening_credits (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  amount bigint not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);
