-- The name of a user, as people read it; null where none was given. The index serves the search by the beginning of a name.
alter table users add column name text;
create index users_name_prefix on users (marketplace_id, lower(name) text_pattern_ops) where name is not null;
