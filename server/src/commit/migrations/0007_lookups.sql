-- Indexes for what people look at: searches, timelines, reports and lists. No table changes, and what is written most (the
-- accounts, the postings, the events of balances) gets none.

-- Searches by the beginning of a text, whatever the database sorts by.
create index orders_client_ref_prefix on orders (marketplace_id, client_order_ref text_pattern_ops)
  where client_order_ref is not null;
create index users_external_id_prefix on users (marketplace_id, external_user_id text_pattern_ops);
create index users_email_prefix on users (marketplace_id, lower(email) text_pattern_ops) where email is not null;

-- Everything that belongs to one order.
create index operations_of_order on operations (marketplace_id, order_id, id);
create index events_of_order on events (marketplace_id, aggregate_id, position)
  where aggregate_type in ('Order', 'Escrow', 'Dispute');
-- A transaction with a call of a contract holds nothing else.
create index ledger_transactions_of_order on ledger_transactions (marketplace_id, (actions -> 0 ->> 'orderId'))
  where actions -> 0 ->> 'orderId' is not null;
create index treasury_payments_of_reference on treasury_payments (marketplace_id, reference) where reference is not null;

-- Reports and lists.
create index orders_closed on orders (marketplace_id, updated_at) where status = 'CLOSED';
create index withdrawals_completed on withdrawals (marketplace_id, completed_at) where completed_at is not null;
create index operations_by_state on operations (marketplace_id, state, id);
create index reservations_of_user on reservations (marketplace_id, user_id, opened_at, id);
