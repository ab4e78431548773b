-- How a failed transaction ended, as a column. Until now this was read from the beginning of the text in `failure`.
alter table ledger_transactions add column ending text check (ending in ('failed', 'rejected', 'expired'));

update ledger_transactions set ending = case
  when failure like 'rejected: %' then 'rejected'
  when failure = 'expired before it was in a ledger' then 'expired'
  else 'failed'
end where state = 'FAILED';

alter table ledger_transactions add constraint ended check ((state = 'FAILED') = (ending is not null));

drop index ledger_transactions_rejected;
create index ledger_transactions_rejected on ledger_transactions (marketplace_id, source, created_at) where ending = 'rejected';
