-- What an order's platform fee has besides its percentage: a fixed part, a minimum and a maximum, in units of 10^-7. Null: nothing.
alter table orders add column fee_terms jsonb;
