-- A restored database knows nothing after the time of its backup.
alter table payment_holds add column books_until timestamptz;
