// Receives the escrow provider's events: finds the order, checks the event with the outside systems, and submits it. An unsigned
// event is only a hint: it never changes an order without a proof.

import { ESCROW_EVENT_TYPES, type EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import { DEFAULT_MARKETPLACE, idPattern } from '@holdfast/contract/ids.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { FindOrder } from '../operations/operation-context.ts';
import { applyEscrowEvent, isAlreadyApplied } from './apply-escrow-event.ts';
import { type EscrowClaim, mismatchOf } from './escrow-claims.ts';
import { createEvidence, type Evidence, type EvidenceParts } from './escrow-evidence.ts';
import type { EscrowReads, OrderPlace } from './queries.ts';
import { isDuplicate, type ReceivedEvent, recordFailedWebhook, webhookEventId } from './webhook-event.ts';

type EscrowEventParts = EvidenceParts & {
  readonly submit: Submit;
  readonly reads: Pick<EscrowReads, 'ordersOfContract' | 'placeOf' | 'findEvent'>;
  readonly findOrder: FindOrder;
};

export type EscrowWebhook = Omit<EscrowClaim, 'type'> & {
  readonly eventId: string;
  /** May be an unknown type. */
  readonly type: string;
  readonly orderId: string | null;
  readonly signed: boolean;
  readonly requestId: string;
};

type Received = { readonly processed: boolean; readonly duplicate: boolean };

export type EscrowEvents = ReturnType<typeof createEscrowEvents>;

const PROVIDER = 'escrow-provider';
const DUPLICATE: Received = { processed: true, duplicate: true };
const NOT_PROCESSED: Received = { processed: false, duplicate: false };
const HINTS_MAX = 10;
const HINTS_WINDOW_MS = 10_000;
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

/** A payout that names one milestone, or one transaction, of a contract that pays each milestone separately. */
const isAboutPart = (escrow: Escrow, { type, milestoneRef, transactionHash }: EscrowClaim): boolean =>
  escrow.contractType === 'multi-release' &&
  (type === 'escrow.released' || type === 'escrow.refunded') &&
  (milestoneRef !== null || transactionHash !== null);

/** Limits the hints about one escrow: contract ids are public, and hints must not consume our requests to the provider. */
const createHintLimit = () => {
  const hints = new Map<string, { since: number; count: number }>();
  return (escrowId: string): boolean => {
    const now = performance.now();
    for (const [id, { since }] of hints) if (since + HINTS_WINDOW_MS < now) hints.delete(id);
    const own = hints.get(escrowId) ?? { since: now, count: 0 };
    hints.set(escrowId, own);
    own.count += 1;
    return own.count <= HINTS_MAX;
  };
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

type Prover = {
  readonly findOrder: FindOrder;
  readonly evidence: Evidence;
  /** False: there were too many hints about the escrow. */
  mayCheck(escrowId: string): boolean;
};

type Unproven = { readonly place: OrderPlace; readonly claim: EscrowClaim & { readonly signed: boolean } };

/** Whether the event is proven, or the reason why it cannot be applied. */
const prove = async (
  { findOrder, evidence, mayCheck }: Prover,
  { place: { marketplaceId, orderId }, claim }: Unproven,
): Promise<boolean | string> => {
  const found = await findOrder(marketplaceId, orderId);
  if (!found?.escrow) return 'The order has no escrow.';
  const view = { ...found, escrow: found.escrow };
  const mismatch = mismatchOf(view, claim);
  if (mismatch !== null) return mismatch;
  if (!claim.signed && isAlreadyApplied(view, { ...claim, orderId })) return false;
  if (!claim.signed && !mayCheck(view.escrow.id)) {
    return 'There were too many unsigned events about this escrow. Send the event again later.';
  }
  const subject = { marketplaceId, view, claim };
  const failure = await evidence.checkTransaction(subject);
  if (failure !== null || (claim.signed && !isAboutPart(view.escrow, claim))) return failure ?? true;
  return (await evidence.checkProvider(subject)) ?? true;
};

export const createEscrowEvents = (parts: EscrowEventParts) => {
  const { submit, reads, findOrder } = parts;
  const prover: Prover = { findOrder, evidence: createEvidence(parts), mayCheck: createHintLimit() };

  const recordFailure = async ({ received, context }: Stored, failure: string): Promise<Received> => {
    const input = { received, failure };
    const { isProcessed } = await runCommand(submit, { command: recordFailedWebhook, input, context });
    return isProcessed ? DUPLICATE : NOT_PROCESSED;
  };

  return {
    async receive(webhook: EscrowWebhook): Promise<Received> {
      const { type, contractId, milestoneRef } = webhook;
      // An unsigned event that matches no order is not stored: otherwise any sender could fill the database.
      const reject = (failure: string): Promise<Received> | Received =>
        webhook.signed ? recordFailure(storedFor(webhook, null), failure) : NOT_PROCESSED;
      if (!isKnownType(type)) return reject('There is no such event type.');
      const place = await matchOrder(reads, webhook);
      if (typeof place === 'string') return reject(place);

      const stored = storedFor(webhook, place);
      const { received, context } = stored;
      if (isDuplicate(await reads.findEvent(place.marketplaceId, received.id), received)) return DUPLICATE;
      const proven = await prove(prover, { place, claim: { ...webhook, type } });
      if (typeof proven === 'string') return recordFailure(stored, proven);
      const update = { type, orderId: place.orderId, contractId, milestoneRef };
      try {
        const input = { update, proven, received };
        const { duplicate } = await runCommand(submit, { command: applyEscrowEvent, input, context });
        return { processed: true, duplicate };
      } catch (error) {
        // Nothing was decided then, so the provider has to send the event again.
        if (!isDomainError(error) || error.code === 'SERVICE_UNAVAILABLE') throw error;
        return recordFailure(stored, error.message);
      }
    },
  };
};
