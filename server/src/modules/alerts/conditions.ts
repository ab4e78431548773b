// The conditions that alerts are about, as they are now. They are read with the reads of the modules that know them; nothing is written.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type { SystemAlertKind } from '@holdfast/contract/states.ts';
import { type Clock, formatInstant, parseInstant } from '../../base/instant.ts';
import { type Amount, formatAmount } from '../../books/money.ts';
import type { TreasuryBalance } from '../../ledger/treasury/queries.ts';
import type { WaitingApproval } from '../approvals/queries.ts';
import type { StuckDeadline } from '../deadlines/queries.ts';
import type { StuckOperation } from '../operations/queries.ts';
import type { OpenBreak } from '../reconciliation/breaks.ts';
import type { DisabledEndpoint } from '../webhook-endpoints/queries.ts';
import type { StuckWithdrawal } from '../withdrawals/queries.ts';
import { ALERT_KINDS } from './alert-kinds.ts';

export type SeenCondition = {
  readonly marketplaceId: string;
  readonly subject: string;
  readonly message: string;
  readonly since: string | null;
};

/** Of all marketplaces. */
export type ReadConditions = () => Promise<SeenCondition[]>;

type ConditionSources = {
  openBreaks(limit: number): Promise<OpenBreak[]>;
  treasuryBalances(): Promise<TreasuryBalance[]>;
  readonly treasuryLow: { readonly lowUsdc: Amount; readonly lowXlm: Amount };
  stuckOperations(of: { before: string; limit: number }): Promise<StuckOperation[]>;
  stuckWithdrawals(of: { committedBefore: string; pendingBefore: string; limit: number }): Promise<StuckWithdrawal[]>;
  stuckDeadlines(of: { before: string; now: string; limit: number }): Promise<StuckDeadline[]>;
  waitingApprovals(of: { before: string; limit: number }): Promise<WaitingApproval[]>;
  disabledEndpoints(): Promise<DisabledEndpoint[]>;
  /** Marketplaces whose last proof does not hold. */
  failingProofs(): Promise<readonly string[]>;
  lastBackup(): Promise<string | null>;
  readonly stuckAfterMs: number;
  readonly payoutStuckAfterMs: number;
  readonly deadlineStuckAfterMs: number;
  readonly approvalWaitingAfterMs: number;
  /** Null: no alert about backups. */
  readonly backupMaxAgeMs: number | null;
  readonly clock: Clock;
  /** The clock that deadlines follow. */
  readonly deadlineClock: Clock;
};

/** The oldest conditions of a kind in all marketplaces. Those beyond are found when these have ended. */
const READ_MAX = 10_000;
const HOUR_MS = 3_600_000;

const breaks = async ({ openBreaks }: ConditionSources): Promise<SeenCondition[]> =>
  (await openBreaks(READ_MAX)).map(({ marketplaceId, kind, subject, reason, firstSeenAt }) => ({
    marketplaceId,
    subject: `${kind}:${subject}`,
    message: `The books and an outside system differ (${kind}, ${subject}). ${reason ?? ALERT_KINDS.BREAK.next}`,
    since: firstSeenAt,
  }));

const treasuries = async ({ treasuryBalances, treasuryLow }: ConditionSources): Promise<SeenCondition[]> => {
  const { lowUsdc, lowXlm } = treasuryLow;
  const active = (await treasuryBalances()).filter(({ isActive }) => isActive);
  return active.flatMap(({ marketplaceId, usdc, xlm }) => {
    const low = [
      ...(usdc < lowUsdc ? [{ subject: 'USDC', limit: lowUsdc }] : []),
      ...(xlm < lowXlm ? [{ subject: 'XLM', limit: lowXlm }] : []),
    ];
    return low.map(({ subject, limit }) => ({
      marketplaceId,
      subject,
      message: `The treasury has less than ${formatAmount(limit)} ${subject}. ${ALERT_KINDS.TREASURY_LOW.next}`,
      since: null,
    }));
  });
};

const before = ({ clock }: ConditionSources, ms: number): string => formatInstant(clock() - ms * 1_000);

const operations = async (sources: ConditionSources): Promise<SeenCondition[]> => {
  const stuck = await sources.stuckOperations({ before: before(sources, sources.stuckAfterMs), limit: READ_MAX });
  return stuck.map(({ marketplaceId, kind, orderId, createdAt }) => ({
    marketplaceId,
    subject: orderId,
    message: `The operation ${kind} of the order ${orderId} was retried and has not ended. ${ALERT_KINDS.OPERATION_STUCK.next}`,
    since: createdAt,
  }));
};

const withdrawals = async (sources: ConditionSources): Promise<SeenCondition[]> => {
  const stuck = await sources.stuckWithdrawals({
    committedBefore: before(sources, sources.stuckAfterMs),
    pendingBefore: before(sources, sources.payoutStuckAfterMs),
    limit: READ_MAX,
  });
  return stuck.map(({ marketplaceId, id, committedAt }) => ({
    marketplaceId,
    subject: id,
    message: `The withdrawal ${id} was committed and is not paid. ${ALERT_KINDS.WITHDRAWAL_STUCK.next}`,
    since: committedAt,
  }));
};

const stuckDeadline = ({ marketplaceId, orderId, kind, at, status, failure }: StuckDeadline): SeenCondition => {
  const which = `The deadline ${kind} of the order ${orderId}`;
  const message =
    status === 'HELD'
      ? `${which} was refused too often and is held: ${failure} Remove the cause; then trigger the deadline, or extend and resume it, or settle the order.`
      : `${which} is overdue since ${at}. ${ALERT_KINDS.DEADLINE_STUCK.next}`;
  return { marketplaceId, subject: orderId, message, since: at };
};

/** One for each order. */
const deadlines = async (sources: ConditionSources): Promise<SeenCondition[]> => {
  const now = sources.deadlineClock();
  const stuck = await sources.stuckDeadlines({
    before: formatInstant(now - sources.deadlineStuckAfterMs * 1_000),
    now: formatInstant(now),
    limit: READ_MAX,
  });
  return [...Map.groupBy(stuck, ({ orderId }) => orderId).values()].map(([first]) => stuckDeadline(first!));
};

const WHY_DISABLED = {
  GONE: 'it answered 410 Gone',
  FAILED_FOR_DAYS: 'every delivery failed for days',
} as const;

const endpoints = async ({ disabledEndpoints }: ConditionSources): Promise<SeenCondition[]> =>
  (await disabledEndpoints()).map(({ marketplaceId, id, disabledReason, updatedAt }) => ({
    marketplaceId,
    subject: id,
    message: `The webhook endpoint ${id} was disabled because ${WHY_DISABLED[disabledReason]}. Repair its receiver, enable it and retry what was given up; later events are sent automatically.`,
    since: updatedAt,
  }));

const proofs = async ({ failingProofs }: ConditionSources): Promise<SeenCondition[]> =>
  (await failingProofs()).map((marketplaceId) => ({
    marketplaceId,
    subject: marketplaceId,
    message: `The books of ${marketplaceId} do not add up, or a break is open. ${ALERT_KINDS.PROOF_FAILED.next}`,
    since: null,
  }));

const backups = async ({ lastBackup, backupMaxAgeMs, clock }: ConditionSources): Promise<SeenCondition[]> => {
  if (backupMaxAgeMs === null) return [];
  const takenAt = await lastBackup();
  if (takenAt !== null && parseInstant(takenAt)! >= clock() - backupMaxAgeMs * 1_000) return [];
  const what =
    takenAt === null ? 'No backup was recorded.' : `The last backup is older than ${backupMaxAgeMs / HOUR_MS} hours.`;
  const message = `${what} ${ALERT_KINDS.BACKUP_LATE.next}`;
  return [{ marketplaceId: DEFAULT_MARKETPLACE, subject: 'backup', message, since: takenAt }];
};

const approvals = async (sources: ConditionSources): Promise<SeenCondition[]> => {
  const waiting = await sources.waitingApprovals({
    before: before(sources, sources.approvalWaitingAfterMs),
    limit: READ_MAX,
  });
  return waiting.map(({ marketplaceId, id, action, createdAt }) => ({
    marketplaceId,
    subject: id,
    message: `The request ${id} (${action}) waits for approval. ${ALERT_KINDS.APPROVAL_WAITING.next}`,
    since: createdAt,
  }));
};

export const createConditions = (sources: ConditionSources): Readonly<Record<SystemAlertKind, ReadConditions>> => ({
  BREAK: () => breaks(sources),
  TREASURY_LOW: () => treasuries(sources),
  OPERATION_STUCK: () => operations(sources),
  WITHDRAWAL_STUCK: () => withdrawals(sources),
  DEADLINE_STUCK: () => deadlines(sources),
  ENDPOINT_DISABLED: () => endpoints(sources),
  PROOF_FAILED: () => proofs(sources),
  BACKUP_LATE: () => backups(sources),
  APPROVAL_WAITING: () => approvals(sources),
});
