-- When the user proved, with a signed challenge, to hold the key of a linked wallet.
alter table wallets add column proved_at timestamptz;
alter table wallets add constraint proved_is_linked check (proved_at is null or type = 'EXTERNAL');
