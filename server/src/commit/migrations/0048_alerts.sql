-- Alerts for people: one row from the moment a condition is seen until it has ended. A condition that comes back gets a new row.
create table alerts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  kind text not null check (kind in ('BREAK', 'TREASURY_LOW', 'OPERATION_STUCK', 'WITHDRAWAL_STUCK', 'ENDPOINT_DISABLED',
    'PROOF_FAILED', 'BACKUP_LATE')),
  subject text not null,
  message text not null,
  since timestamptz not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- NONE: e-mail was not set when it happened. SENT: the mail server has accepted it.
  opened_mail text not null check (opened_mail in ('NONE', 'DUE', 'SENT')),
  closed_mail text not null check (closed_mail in ('NONE', 'DUE', 'SENT')),
  primary key (marketplace_id, id),
  constraint mailed_after_its_end check (closed_mail = 'NONE' or closed_at is not null)
);
create unique index alerts_open on alerts (marketplace_id, kind, subject) where closed_at is null;
create index alerts_kind on alerts (marketplace_id, kind, id);
create index alerts_mail on alerts (marketplace_id, id) where opened_mail = 'DUE' or closed_mail = 'DUE';

-- When the last backup was taken, as `npm run backup` noted it: one row, of the marketplace of the whole service.
create table backup_times (
  marketplace_id text not null primary key,
  taken_at timestamptz not null
);
