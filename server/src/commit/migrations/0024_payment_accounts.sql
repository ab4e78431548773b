-- The linked account at the payment provider, as the provider knows it, and when payouts may use an account that replaced another one.
alter table users
  add column payment_account_id text,
  add column payment_account_email text,
  add column payment_account_active_from timestamptz;
