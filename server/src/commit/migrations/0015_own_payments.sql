-- Finds the own account of a payment by our id, in any marketplace: a webhook names no marketplace. Few payments are at own accounts.
create index topups_of_own_account on topups (id) where provider_account is not null;
create index withdrawals_of_own_account on withdrawals (id) where provider_account is not null;
