-- What happened in each day, for the report of activity: sums over orders, postings and withdrawals, kept by the job that proves the books.
-- They are an observation of the records, not a part of them. The full proof compares them with the records.
create table activity_sums (
  marketplace_id text not null,
  currency text not null,
  -- Whole days before `hours_from` of the mark; hours of the day that begins there.
  span text not null check (span in ('day', 'hour')),
  begins_at timestamptz not null,
  figure text not null,
  -- Seconds from the creation to the end, rounded down, of settled orders; otherwise 0.
  bucket integer not null,
  count bigint not null,
  -- A whole number as text: the sum of a day may be larger than a bigint.
  units text not null check (units ~ '^-?[0-9]+$'),
  primary key (marketplace_id, currency, span, begins_at, figure, bucket)
);

-- Up to which audit entry the sums hold everything.
create table activity_marks (
  marketplace_id text not null,
  audit_seq bigint not null check (audit_seq >= 0),
  hours_from timestamptz not null,
  primary key (marketplace_id)
);
