-- How many reserves of other wallets a treasury locks on the ledger: two for an account and one for a trustline. The amount stays in the
-- treasury and in its books, and cannot be spent.
alter table wallets add column sponsored_reserves integer not null default 0 check (sponsored_reserves >= 0);
