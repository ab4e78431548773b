// Presents the timeline of an order: the entries of the books, the ledger, the operations, the events and the audit trail as one list,
// sorted by time.

import { TIMELINE_ENTRIES_MAX, type TimelineKind } from '@holdfast/contract/api/timeline.ts';
import { parseInstant } from '../../base/instant.ts';
import { type Amount, fromUnits, negated } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { LedgerAction } from '../../ledger/transactions/ledger-transaction.ts';
import type { Names } from '../audit/actor-names.ts';
import type { AuditRecord } from '../audit/audit-record.ts';
import type { DisputeMessage } from '../dispute-messages/message.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { presentEvidence } from '../evidence/routes.ts';
import type { Note } from '../notes/note.ts';
import type { OrderEvent, OrderHistory, OrderPosting, OrderTransaction } from './queries.ts';

type TimelineEntry = {
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

const presentAudit = (
  { occurredAt, action, id, actorType, actorId, result }: AuditRecord,
  names: Names,
): TimelineEntry => ({
  at: occurredAt,
  kind: 'audit',
  title: action,
  reference: id,
  details: { actorType, actorId, ...(names.has(actorId) ? { actorName: names.get(actorId) } : {}), result },
});

const presentNote = ({ id, resourceType, resourceId, author, text, createdAt }: Note): TimelineEntry => ({
  at: createdAt,
  kind: 'note',
  title: `Note of ${author.name}`,
  reference: id,
  details: { resourceType, resourceId, author, text },
});

const PARTIES = { BUYER: 'the buyer', SELLER: 'the seller', OPERATOR: 'the marketplace' } as const;

const evidenceEntry = (evidence: Evidence): TimelineEntry => {
  const { id, createdAt, ...details } = presentEvidence(evidence);
  const title = `Evidence of ${PARTIES[evidence.submittedBy]}`;
  return { at: createdAt, kind: 'evidence', title, reference: id, details };
};

const presentMessage = ({ id, disputeId, sender: from, author, text, createdAt }: DisputeMessage): TimelineEntry => ({
  at: createdAt,
  kind: 'message',
  title: `Message of ${PARTIES[from]}`,
  reference: id,
  details: { disputeId, from, author, text },
});

const CALLS = {
  deploy: 'Deploys the escrow contract',
  fund: 'Pays into the escrow contract',
  'change-status': 'Marks a milestone as done in the contract',
  approve: 'Approves a milestone in the contract',
  release: 'Lets the contract pay the seller',
  dispute: 'Opens the dispute in the contract',
  resolve: 'Lets the contract pay as it was decided',
  'withdraw-remaining': 'Takes out what others paid into the contract',
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
  'release-milestone': 'Releasing a milestone to the seller',
  'refund-milestone': 'Refunding a milestone to the buyer',
} as const;

type OperationEntry = Pick<TimelineEntry, 'at' | 'details'> & { readonly verb: string };

type Postponed = { readonly attempts?: number; readonly reason?: string };

/** One entry for the start, one for each time the operation was postponed, and one for the end. */
const presentOperations = ({ operations, audits }: OrderHistory): TimelineEntry[] =>
  operations.flatMap((operation) => {
    const { id, kind, state, attempts, failure, createdAt, updatedAt } = operation;
    const entry = ({ at, verb, details }: OperationEntry): TimelineEntry => ({
      at,
      kind: 'operation',
      title: `${OPERATIONS[kind]} ${verb}`,
      reference: id,
      details: { kind, ...details },
    });
    const postponed = audits.filter(({ action, resourceId }) => action === 'OPERATION_POSTPONED' && resourceId === id);
    return [
      entry({ at: createdAt, verb: 'has begun', details: { state: 'RUNNING', attempts: 0, problem: null } }),
      ...postponed.map(({ occurredAt, payloadAfter }) => {
        const after = JSON.parse(payloadAfter ?? '{}') as Postponed;
        const details = { state: 'RUNNING', attempts: after.attempts ?? null, problem: after.reason ?? null };
        return entry({ at: occurredAt, verb: 'was postponed', details });
      }),
      ...(state === 'RUNNING'
        ? []
        : [
            entry({
              at: updatedAt,
              verb: state === 'DONE' ? 'is done' : 'has failed',
              details: { state, attempts, problem: failure },
            }),
          ]),
    ];
  });

const TITLES: Readonly<Partial<Record<MoveName, string>>> = {
  reserve: "The buyer's money is set aside for the order",
  release: 'Money that was set aside is available to the buyer again',
  cancel_reservation: 'What was set aside is available to the buyer again',
  deduct_reserved: 'Money that was set aside is taken for good',
  fund_escrow: "The buyer's money is in the order's escrow",
  pay_seller: 'The seller is paid from the escrow',
  platform_fee: 'The platform keeps its fee',
  refund_buyer: 'The buyer is paid back from the escrow',
  release_reversal: 'The payment to the seller is taken back into the escrow',
  platform_fee_reversal: 'The fee goes back into the escrow',
  refund_reversal: 'The refund is taken back into the escrow',
  funding_reversal: "The buyer's money is set aside again",
  contract_funding: 'A wallet pays into the contract',
  contract_payment: 'The contract pays a wallet',
  protocol_fee: "The contract pays the provider's protocol",
  contract_gain: 'The contract held more than we paid in',
};

const isHolding = (id: string): boolean => /^(wallet|contract|network|payment-float):/.test(id);

const userPart = (id: string, { order }: OrderHistory): string => {
  const [userId, part] = id.split(':');
  if (userId === order.buyerId) return `buyer, ${part}`;
  return userId === order.sellerId ? `seller, ${part}` : `another user, ${part}`;
};

const walletOf = (address: string, { escrows }: OrderHistory): string => {
  for (const { buyer, seller, platform } of escrows) {
    if (buyer.address === address) return "buyer's wallet";
    if (seller.address === address) return "seller's wallet";
    if (platform.address === address) return "platform's wallet";
  }
  return 'another wallet of ours';
};

const nameOf = (id: string, history: OrderHistory): string => {
  const [first = '', second = ''] = id.split(':');
  if (first.startsWith('usr_')) return userPart(id, history);
  if (first === 'wallet') return walletOf(second, history);
  if (first === 'contract') return 'escrow contract';
  if (first === 'network') return 'fees of the networks';
  if (first === 'platform') return 'platform fees';
  if (first === 'operator') return 'operator';
  return first.startsWith('payment-float') ? 'payment provider' : 'escrow of the order';
};

const positive = (amount: Amount): Amount => (amount < 0n ? negated(amount) : amount);

const presentPosting = (posting: OrderPosting, history: OrderHistory): TimelineEntry => {
  const { accountId, counterAccountId, amount, move, postedAt } = posting;
  // Holdings are negative in the books, so money between two holdings moves in the other direction.
  const isReversed = isHolding(accountId) && isHolding(counterAccountId);
  const isOutgoing = isReversed ? amount > 0n : amount < 0n;
  return {
    at: postedAt,
    kind: 'posting',
    title: TITLES[move as MoveName] ?? move,
    reference: null,
    details: {
      move,
      from: nameOf(isOutgoing ? accountId : counterAccountId, history),
      to: nameOf(isOutgoing ? counterAccountId : accountId, history),
      amount: presentExact(positive(fromUnits(amount))),
      currency: accountId.slice(accountId.lastIndexOf(':') + 1),
    },
  };
};

const presentPostings = (history: OrderHistory): TimelineEntry[] =>
  history.postings.map((posting) => presentPosting(posting, history));

/** Entries of the same time keep the order of their sources. */
const byTime = (a: TimelineEntry, b: TimelineEntry): number => (parseInstant(a.at) ?? 0) - (parseInstant(b.at) ?? 0);

/** `names`: those of the operators and keys that acted. */
export const presentTimeline = (history: OrderHistory, names: Names) => {
  const entries = [
    ...presentOperations(history),
    ...history.transactions.map(presentTransaction),
    ...presentPostings(history),
    ...history.events.map(presentEvent),
    ...history.notes.map(presentNote),
    ...history.evidence.map(evidenceEntry),
    ...history.messages.map(presentMessage),
    ...history.audits.map((entry) => presentAudit(entry, names)),
  ].sort(byTime);
  return {
    orderId: history.order.id,
    entries: entries.slice(0, TIMELINE_ENTRIES_MAX),
    truncated: history.isCut || entries.length > TIMELINE_ENTRIES_MAX,
    archives: [...history.archives],
  };
};
