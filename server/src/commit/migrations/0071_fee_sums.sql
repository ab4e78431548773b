-- The fees of each day, for the fee report: sums over the postings of the accounts of fees, kept by the job that proves the books. They are an
-- observation of the postings, not a part of them. The full proof compares them with the postings.
create table fee_sums (
  marketplace_id text not null,
  account_id text not null,
  -- In UTC, of the postings' own times.
  day date not null,
  -- Whole numbers as text: the sum of a day may be larger than a bigint.
  earned text not null check (earned ~ '^-?[0-9]+$'),
  reversed text not null check (reversed ~ '^-?[0-9]+$'),
  network text not null check (network ~ '^-?[0-9]+$'),
  provider text not null check (provider ~ '^-?[0-9]+$'),
  primary key (marketplace_id, account_id, day)
);

-- Up to which posting of the account the sums hold everything. Sums of an account without a mark do not count.
create table fee_marks (
  marketplace_id text not null,
  account_id text not null,
  seq bigint not null check (seq >= 0),
  primary key (marketplace_id, account_id)
);
