-- A top-up remembers the Idempotency-Key that it was asked for with, as a hash: its answer is kept only when it is over, and a
-- repeat before that must go on with the same top-up instead of making another.

alter table topups add column request_key text;
create unique index topups_of_request on topups (marketplace_id, request_key) where request_key is not null;
