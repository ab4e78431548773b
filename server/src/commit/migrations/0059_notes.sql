-- Notes of people about a record. A row never changes.
create table notes (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  resource_type text not null check (resource_type in ('order', 'dispute', 'user', 'break', 'withdrawal', 'topup')),
  resource_id text not null,
  text text not null,
  author jsonb not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);
create index notes_resource on notes (marketplace_id, resource_id, id);
create index notes_type on notes (marketplace_id, resource_type, id);

-- How many notes a record has, so that a new note is counted without reading the others. The id is the type and the id of the record.
create table note_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  notes integer not null check (notes > 0),
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);
