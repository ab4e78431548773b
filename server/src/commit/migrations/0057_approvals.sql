-- The rules of a marketplace that make requests wait for another actor: one row, which is replaced as a whole.
create table approval_rules (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  rules jsonb not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

-- Requests that wait for approval, and what became of them.
create table approvals (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  action text not null,
  status text not null
    check (status in ('PENDING', 'APPROVING', 'APPROVED', 'REJECTED', 'CANCELED', 'EXPIRED', 'FAILED')),
  amount bigint check (amount > 0),
  currency text,
  order_id text,
  user_id text,
  -- The actor that may not decide: its type and its id.
  requester text not null,
  requested_by jsonb not null,
  -- The route, the parts of the request and its caller. Never a secret.
  request jsonb not null,
  expires_at timestamptz not null,
  decided_by jsonb,
  decided_at timestamptz,
  reason text,
  -- The run of a server that has begun to carry it out. Written with the first change of the request, in the same commit.
  begun_by text,
  -- The operation or the withdrawal that the request has begun.
  effect_id text,
  -- While it is APPROVING: another server may continue it after this time.
  resume_at timestamptz,
  result jsonb,
  error jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint decided check ((status = 'PENDING') = (decided_at is null)),
  constraint resumed_while_approving check ((status = 'APPROVING') = (resume_at is not null)),
  constraint failed_with_error check ((status = 'FAILED') = (error is not null))
);
create index approvals_pending on approvals (marketplace_id, expires_at) where status = 'PENDING';
create index approvals_due on approvals (expires_at) where status = 'PENDING';
create index approvals_resumed on approvals (resume_at) where status = 'APPROVING';
create index approvals_status on approvals (marketplace_id, status, id);
create index approvals_action on approvals (marketplace_id, action, id);
create index approvals_requester on approvals (marketplace_id, (requested_by ->> 'id'), id);
create index approvals_order on approvals (marketplace_id, order_id, id) where order_id is not null;
create index approvals_ended on approvals (marketplace_id, updated_at) where status not in ('PENDING', 'APPROVING');

alter table alerts drop constraint alerts_kind_check;
alter table alerts add constraint alerts_kind_check check (kind in ('BREAK', 'TREASURY_LOW', 'OPERATION_STUCK', 'WITHDRAWAL_STUCK',
  'DEADLINE_STUCK', 'ENDPOINT_DISABLED', 'PROOF_FAILED', 'BACKUP_LATE', 'APPROVAL_WAITING'));
