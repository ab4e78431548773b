-- The memo of a ledger payment: exchanges assign what they receive by it.
alter table withdrawals
  add column memo text,
  add column memo_type text,
  add constraint memo_is_whole check ((memo is null) = (memo_type is null)),
  add constraint memo_on_ledger check (memo is null or address is not null),
  add constraint memo_type_known check (memo_type in ('text', 'id', 'hash', 'return'));
