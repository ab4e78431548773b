-- How far the payments of the network have been read, for the operator: the newest ledger of the network that the reading process has
-- seen, the ledger up to which everything has been read, and the age of that.
alter table ledger_cursors
  add column latest_ledger bigint,
  add column reached_ledger bigint,
  add column reached_at timestamptz;
