-- Public links of receipts, one row for each order that ever had one. Only the hash of a link is stored.
create table receipt_links (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  token_hash text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);
