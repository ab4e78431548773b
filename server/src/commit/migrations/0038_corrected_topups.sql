-- When an operator credited an ended top-up by hand: a payment that comes late is then not credited again.
alter table topups add column corrected_at timestamptz;
