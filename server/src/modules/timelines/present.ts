// Presents the timeline of an order: the entries of the books, the ledger, the operations, the events and the audit trail as one list,
// sorted by time.

import { TIMELINE_ENTRIES_MAX, type TimelineKind } from '@holdfast/contract/api/timeline.ts';
import { parseInstant } from '../../base/instant.ts';
import type { LedgerAction } from '../../ledger/transactions/ledger-transaction.ts';
import type { AuditRecord } from '../audit/queries.ts';
import { presentPostings } from './present-postings.ts';
import type { OrderEvent, OrderHistory, OrderTransaction } from './queries.ts';

export type TimelineEntry = {
  readonly at: string;
  readonly kind: TimelineKind;
  readonly title: string;
  readonly reference: string | null;
  readonly details: Record<string, unknown>;
};

const presentEvent = ({ occurredAt, eventType, envelope }: OrderEvent): TimelineEntry => {
  const { eventId, payload } = JSON.parse(envelope) as { eventId: string; payload: Record<string, unknown> };
  return { at: occurredAt, kind: 'event', title: eventType, reference: eventId, details: payload };
};

const presentAudit = ({ occurredAt, action, id, actorType, actorId, result }: AuditRecord): TimelineEntry => ({
  at: occurredAt,
  kind: 'audit',
  title: action,
  reference: id,
  details: { actorType, actorId, result },
});

const CALLS = {
  deploy: 'Deploys the escrow contract',
  fund: 'Pays into the escrow contract',
  'change-status': 'Marks a milestone as done in the contract',
  approve: 'Approves a milestone in the contract',
  release: 'Lets the contract pay the seller',
  dispute: 'Opens the dispute in the contract',
  resolve: 'Lets the contract pay as it was decided',
} as const;

const titleOf = (action: LedgerAction | undefined): string => {
  if (action?.type === 'escrow') return CALLS[action.call];
  if (action?.type === 'pay') return 'Pays from the treasury what the wallet lacks';
  return 'Prepares a wallet on the ledger';
};

const presentTransaction = (transaction: OrderTransaction): TimelineEntry => {
  const { id, source, state, actions, failure, createdAt, updatedAt } = transaction;
  const call = actions.find((action) => action.type === 'escrow');
  return {
    at: createdAt,
    kind: 'ledger',
    title: titleOf(call ?? actions[0]),
    reference: id,
    details: {
      action: call?.call ?? actions[0]?.type ?? null,
      state,
      contract: call?.contractId ?? null,
      signer: source,
      ...(call && call.milestone !== null ? { milestone: call.milestone } : {}),
      settledAt: state === 'SIGNED' ? null : updatedAt,
      ...(failure === null ? {} : { problem: failure }),
    },
  };
};

const OPERATIONS = {
  'create-escrow': 'Creating the escrow',
  'fund-escrow': 'Funding the escrow',
  release: 'Releasing to the seller',
  refund: 'Refunding the buyer',
  'resolve-dispute': 'Paying as the dispute was decided',
} as const;

type Postponed = { readonly attempts?: number; readonly reason?: string };

/** One entry for the start, one for each time the operation was postponed, and one for the end. */
const presentOperations = ({ operations, audits }: OrderHistory): TimelineEntry[] =>
  operations.flatMap((operation) => {
    const { id, kind, state, attempts, failure, createdAt, updatedAt } = operation;
    const entry = (at: string, how: string, details: Record<string, unknown>): TimelineEntry => ({
      at,
      kind: 'operation',
      title: `${OPERATIONS[kind]} ${how}`,
      reference: id,
      details: { kind, ...details },
    });
    const postponed = audits.filter(({ action, resourceId }) => action === 'OPERATION_POSTPONED' && resourceId === id);
    return [
      entry(createdAt, 'has begun', { state: 'RUNNING', attempts: 0, problem: null }),
      ...postponed.map(({ occurredAt, payloadAfter }) => {
        const after = JSON.parse(payloadAfter ?? '{}') as Postponed;
        const problem = after.reason ?? null;
        return entry(occurredAt, 'was postponed', { state: 'RUNNING', attempts: after.attempts ?? null, problem });
      }),
      ...(state === 'RUNNING'
        ? []
        : [entry(updatedAt, state === 'DONE' ? 'is done' : 'has failed', { state, attempts, problem: failure })]),
    ];
  });

/** Entries of the same time keep the order of their sources. */
const byTime = (a: TimelineEntry, b: TimelineEntry): number => (parseInstant(a.at) ?? 0) - (parseInstant(b.at) ?? 0);

export const presentTimeline = (history: OrderHistory) => {
  const entries = [
    ...presentOperations(history),
    ...history.transactions.map(presentTransaction),
    ...presentPostings(history),
    ...history.events.map(presentEvent),
    ...history.audits.map(presentAudit),
  ].sort(byTime);
  return {
    orderId: history.order.id,
    entries: entries.slice(0, TIMELINE_ENTRIES_MAX),
    truncated: history.isCut || entries.length > TIMELINE_ENTRIES_MAX,
  };
};
