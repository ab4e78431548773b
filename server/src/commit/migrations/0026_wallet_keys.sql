-- Which key-encryption key seals the secrets of wallets and provider credentials. One row for the service, in mkt_default, whose order of
-- commands decides when two operators rotate at once. No row: no rotation has begun, and each server seals with the newest key that all
-- running servers have.
create table wallet_keys (
  marketplace_id text not null check (marketplace_id = 'mkt_default'),
  id text not null check (id = 'current'),
  version integer not null,
  sealing_key_id text not null,
  -- A known text that the key has sealed: a server that opens it has the same key.
  sealing_probe text not null,
  -- The key that seals next, as soon as all running servers have it.
  announced_key_id text,
  announced_probe text,
  -- Null while secrets are resealed.
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  check ((announced_key_id is null) = (announced_probe is null))
);

-- The running servers and their key-encryption keys. A heartbeat, not a part of the books: it is written without a command. A server
-- belongs to no marketplace, so all rows are in mkt_default.
create table wallet_key_holders (
  marketplace_id text not null,
  id text not null,
  host text not null,
  key_ids text[] not null,
  sealing_key_id text not null,
  -- The announced key that this server has opened the probe with.
  confirmed_key_id text,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- After this time the server counts as ended.
  expires_at timestamptz not null,
  primary key (marketplace_id, id)
);
