// The kinds of alerts: the two events of each, its words for events and e-mails, and the next step of a person.

import type { EventType } from '@holdfast/contract/events.ts';
import type { SystemAlertKind } from '@holdfast/contract/states.ts';

type SystemEvent = EventType & `system.${string}`;

type KindRow = {
  /** The events of its beginning and of its end. */
  readonly emits: readonly [opened: SystemEvent, closed: SystemEvent];
  readonly one: string;
  readonly many: string;
  /** What to do next, for many alerts at once. */
  readonly next: string;
};

export const ALERT_KINDS: Readonly<Record<SystemAlertKind, KindRow>> = {
  BREAK: {
    emits: ['system.break_opened', 'system.break_closed'],
    one: 'reconciliation break',
    many: 'reconciliation breaks',
    next: 'Read GET /api/v1/reconciliation/breaks?open=true and compare both sides.',
  },
  TREASURY_LOW: {
    emits: ['system.treasury_low', 'system.treasury_recovered'],
    one: 'low treasury balance',
    many: 'low treasury balances',
    next: 'Pay to the address that GET /api/v1/treasury/deposit names.',
  },
  OPERATION_STUCK: {
    emits: ['system.operation_stuck', 'system.operation_recovered'],
    one: 'stuck operation',
    many: 'stuck operations',
    next: 'Read GET /api/v1/operations?state=RUNNING and fix what lastProblem names.',
  },
  WITHDRAWAL_STUCK: {
    emits: ['system.withdrawal_stuck', 'system.withdrawal_recovered'],
    one: 'stuck withdrawal',
    many: 'stuck withdrawals',
    next: 'Look up the payouts at the payment provider, or the transactions on the ledger.',
  },
  DEADLINE_STUCK: {
    emits: ['system.deadline_stuck', 'system.deadline_recovered'],
    one: 'stuck deadline',
    many: 'stuck deadlines',
    next: 'Read the orders; then settle them, or trigger, extend or hold the deadlines.',
  },
  ENDPOINT_DISABLED: {
    emits: ['system.endpoint_disabled', 'system.endpoint_enabled'],
    one: 'disabled webhook endpoint',
    many: 'disabled webhook endpoints',
    next: 'Repair the receivers, enable the endpoints and retry what was given up (`holdfast webhooks retry-failed`).',
  },
  PROOF_FAILED: {
    emits: ['system.proof_failed', 'system.proof_recovered'],
    one: 'failed proof of the books',
    many: 'failed proofs of the books',
    next: 'Read GET /api/v1/audit/proof for the check that does not hold.',
  },
  BACKUP_LATE: {
    emits: ['system.backup_late', 'system.backup_recovered'],
    one: 'late backup',
    many: 'late backups',
    next: 'Run `npm run backup` and find out why the schedule did not.',
  },
  APPROVAL_WAITING: {
    emits: ['system.approval_waiting', 'system.approval_decided'],
    one: 'request that waits for approval',
    many: 'requests that wait for approval',
    next: 'Read GET /api/v1/approvals?status=PENDING and approve or reject.',
  },
};

/** For example `1 stuck operation`, `7 stuck operations`. */
export const counted = (kind: SystemAlertKind, count: number): string =>
  `${count} ${count === 1 ? ALERT_KINDS[kind].one : ALERT_KINDS[kind].many}`;
