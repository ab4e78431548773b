// Receives the escrow provider's events: finds the order, checks the event with the outside systems, and submits it. An unsigned
// event is only a hint: it never changes an order without a proof. A signed event that cannot be checked now is kept.

import { ESCROW_EVENT_TYPES, type EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import { DEFAULT_MARKETPLACE, idPattern } from '@holdfast/contract/ids.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { ZERO } from '../../books/money.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { applyEscrowEvent } from './apply-escrow-event.ts';
import type { EscrowClaim } from './escrow-claims.ts';
import type { EventAlerts } from './event-alerts.ts';
import { createJudge, isMoneyEvent, type JudgeParts, type Verdict } from './judge-escrow-event.ts';
import { keepEscrowEvent } from './keep-escrow-event.ts';
import type { EscrowReads, KeptEvent, OrderPlace } from './queries.ts';
import {
  isDuplicate,
  type ReceivedEvent,
  recordFailedWebhook,
  type StoredClaim,
  webhookEventId,
} from './webhook-event.ts';

type EscrowEventParts = JudgeParts & {
  /** False: too many hints came in the last minute, or they could not be counted. */
  mayCheckHint(): Promise<boolean>;
  readonly alerts: EventAlerts;
  readonly submit: Submit;
  readonly reads: Pick<EscrowReads, 'ordersOfContract' | 'placeOf' | 'findEvent' | 'isHalfDone'>;
};

export type EscrowWebhook = Omit<EscrowClaim, 'type'> & {
  readonly eventId: string;
  /** May be an unknown type. */
  readonly type: string;
  readonly orderId: string | null;
  readonly signed: boolean;
  readonly requestId: string;
};

export type ReceivedEscrowEvent = {
  readonly processed: boolean;
  /**
   * `ignored`: a hint beyond the budget, or one that could not be counted. `kept`: it is checked again later. `set-aside`: an operator
   * has to look at it.
   */
  readonly outcome: 'processed' | 'duplicate' | 'failed' | 'ignored' | 'kept' | 'set-aside';
};

export type EscrowEvents = ReturnType<typeof createEscrowEvents>;

const PROVIDER = 'escrow-provider';
const PROCESSED: ReceivedEscrowEvent = { processed: true, outcome: 'processed' };
const DUPLICATE: ReceivedEscrowEvent = { processed: true, outcome: 'duplicate' };
const FAILED: ReceivedEscrowEvent = { processed: false, outcome: 'failed' };
const IGNORED: ReceivedEscrowEvent = { processed: false, outcome: 'ignored' };
const KEPT: ReceivedEscrowEvent = { processed: false, outcome: 'kept' };
const SET_ASIDE: ReceivedEscrowEvent = { processed: false, outcome: 'set-aside' };
const KEPT_OUTCOMES = { PROCESSED: DUPLICATE, SET_ASIDE, PENDING: KEPT, FAILED } as const;
const ORDER_ID = new RegExp(idPattern('order'));

const isKnownType = (type: string): type is EscrowEventType => ESCROW_EVENT_TYPES.some((known) => known === type);

type Stored = { readonly received: ReceivedEvent; readonly context: Context };

/** The stored form of the event: in the marketplace of its order, or in the default one when no order matches. */
const storedFor = ({ eventId, type, signed, requestId }: EscrowWebhook, place: OrderPlace | null): Stored => ({
  received: {
    id: webhookEventId(PROVIDER, eventId),
    provider: PROVIDER,
    type,
    signed,
    subjectId: place?.orderId ?? null,
  },
  context: {
    marketplaceId: place?.marketplaceId ?? DEFAULT_MARKETPLACE,
    actor: { type: 'system', id: PROVIDER },
    requestId,
  },
});

const claimOf = (webhook: EscrowWebhook): StoredClaim => {
  const { contractId, amount, currency, buyerAddress, sellerAddress, milestoneRef, transactionHash } = webhook;
  return { contractId, amount, currency, buyerAddress, sellerAddress, milestoneRef, transactionHash };
};

/** The order of the event, or the reason why there is none. */
const matchOrder = async (
  reads: EscrowEventParts['reads'],
  { contractId, orderId }: EscrowWebhook,
): Promise<OrderPlace | string> => {
  const ofContract = contractId === null ? [] : await reads.ordersOfContract(contractId);
  if (orderId === null) {
    const only = ofContract[0];
    return only && ofContract.length === 1 ? only : 'There is no order with this contract.';
  }
  if (ofContract.some((other) => other.orderId !== orderId)) return 'The contract belongs to another order.';
  return (ORDER_ID.test(orderId) ? await reads.placeOf(orderId) : null) ?? 'There is no such order.';
};

type Kept = Extract<Verdict, { kind: 'unchecked' | 'contradicted' }>;

/** The verdict of a check that broke. The amount is not known then. */
const interrupted = (type: string): Kept => {
  return { kind: 'unchecked', reason: 'The check was interrupted.', amount: isMoneyEvent(type) ? ZERO : null };
};

type Proven = {
  readonly type: EscrowEventType;
  readonly place: OrderPlace;
  /** The disputed milestones, where the provider was asked. */
  readonly places: readonly number[] | null;
};

export const createEscrowEvents = (parts: EscrowEventParts) => {
  const { submit, reads, alerts } = parts;
  const judge = createJudge(parts);

  /** A hint that cannot be applied is not stored: otherwise any sender could fill the database. */
  const recordFailure = async ({ received, context }: Stored, failure: string): Promise<ReceivedEscrowEvent> => {
    if (!received.signed) return FAILED;
    const input = { received, failure };
    const { isProcessed } = await runCommand(submit, { command: recordFailedWebhook, input, context });
    return isProcessed ? DUPLICATE : FAILED;
  };

  const keep = async (webhook: EscrowWebhook, { place, verdict }: { place: OrderPlace; verdict: Kept }) => {
    const { received, context } = storedFor(webhook, place);
    if (!received.signed) return FAILED;
    const { reason, amount, kind } = verdict;
    const input = { received, claim: claimOf(webhook), reason, isContradicted: kind === 'contradicted' };
    const { state } = await runCommand(submit, { command: keepEscrowEvent, input, context });
    const about = { ...place, eventId: received.id, reason };
    if (state === 'SET_ASIDE') await alerts.open({ ...about, amount });
    if (state === 'FAILED') await alerts.end(about);
    return KEPT_OUTCOMES[state];
  };

  const apply = async (webhook: EscrowWebhook, { type, place, places }: Proven) => {
    const { contractId, milestoneRef } = webhook;
    const stored = storedFor(webhook, place);
    const { received, context } = stored;
    const input = { update: { type, orderId: place.orderId, contractId, milestoneRef, places }, received };
    try {
      const { duplicate } = await runCommand(submit, { command: applyEscrowEvent, input, context });
      return duplicate ? DUPLICATE : PROCESSED;
    } catch (error) {
      // Nothing was decided then, so the provider has to send the event again.
      if (!isDomainError(error) || error.code === 'SERVICE_UNAVAILABLE') throw error;
      return recordFailure(stored, error.message);
    }
  };

  /** Checks the event of a known order, and applies it, keeps it or refuses it. */
  const settle = async (webhook: EscrowWebhook, place: OrderPlace): Promise<ReceivedEscrowEvent> => {
    const { type } = webhook;
    if (!isKnownType(type)) return recordFailure(storedFor(webhook, place), 'There is no such event type.');
    const stored = storedFor(webhook, place);
    const known = await reads.findEvent(place.marketplaceId, stored.received.id);
    if (isDuplicate(known, stored.received)) return DUPLICATE;
    const verdict = await judge({ place, claim: { ...webhook, type } });
    if (verdict.kind === 'known') return DUPLICATE;
    if (verdict.kind === 'unchecked' || verdict.kind === 'contradicted') return keep(webhook, { place, verdict });
    const ended = await (verdict.kind === 'proven'
      ? apply(webhook, { type, place, places: verdict.places ?? null })
      : recordFailure(stored, verdict.reason));
    if (known?.state === 'SET_ASIDE') await alerts.close({ ...place, eventId: known.id });
    return ended;
  };

  return {
    async receive(webhook: EscrowWebhook): Promise<ReceivedEscrowEvent> {
      if (!webhook.signed && !(await parts.mayCheckHint())) return IGNORED;
      if (!isKnownType(webhook.type)) return recordFailure(storedFor(webhook, null), 'There is no such event type.');
      const place = await matchOrder(reads, webhook);
      return typeof place === 'string' ? recordFailure(storedFor(webhook, null), place) : settle(webhook, place);
    },

    /** Checks an event again that was kept or set aside. */
    async retry({ marketplaceId, event: { id, type, subjectId: orderId, claim } }: KeptEvent): Promise<void> {
      if (orderId === null || claim === null) return;
      const eventId = id.slice(webhookEventId(PROVIDER, '').length);
      const webhook = { ...claim, eventId, type, orderId, signed: true, requestId: `retry-${orderId}` };
      const place = { marketplaceId, orderId };
      try {
        await settle(webhook, place);
      } catch (error) {
        // Otherwise it would stay the longest due, and hold up the others in every run.
        await keep(webhook, { place, verdict: interrupted(type) });
        throw error;
      }
    },
  };
};
