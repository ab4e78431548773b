-- A checkpoint of the proof: what a marketplace's books came to at one entry of its audit chain. A proof that begins at a checkpoint adds
-- up only what came after it. A checkpoint is an observation of the books, not a part of them.
create table proof_checkpoints (
  marketplace_id text not null,
  number bigint not null check (number > 0),
  -- True: every posting was added up and every entry of the chain was read. False: only those since the checkpoint before.
  is_full boolean not null,
  -- The last entry of the audit chain, and its hash. The checkpoint holds all postings up to this entry.
  audit_seq bigint not null check (audit_seq > 0),
  audit_hash text not null,
  postings bigint not null check (postings >= 0),
  accounts bigint not null check (accounts >= 0),
  -- JSON: currency, side, place and units of each sum. Kept as the text that the hash covers.
  sums text not null,
  made_at timestamptz not null,
  -- Of the checkpoint before; of a full one: of the full one before. Empty for the first.
  previous_hash text not null,
  hash text not null,
  primary key (marketplace_id, number)
);

create trigger checkpoints_do_not_change before update or truncate on proof_checkpoints
  for each statement execute function refuse_change();

-- Finds the postings since a checkpoint: the audit entries since then give the range of times. Rows are appended, so pages are in the
-- order of time, and a summary of each range of pages is enough. See docs/decisions/0016-proof-checkpoints.md for what it costs.
create index postings_in_time on postings using brin (posted_at) with (pages_per_range = 64, autosummarize = on);

-- The last full proof of a marketplace. A proof from a checkpoint does not replace what it found.
alter table proofs
  add column full_holds boolean,
  add column full_checked_at timestamptz,
  add column full_problems text;
