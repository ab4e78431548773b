-- What was compared with the books since a hold of all payments began: the wallets, and the payouts of the payment provider.
alter table payment_holds add column compared jsonb not null default '[]';
