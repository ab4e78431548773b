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
import { createEvidence, type Evidence, type EvidenceParts, type OutsideSystems } from './escrow-evidence.ts';
import type { EscrowReads, OrderPlace } from './queries.ts';
import { isDuplicate, type ReceivedEvent, recordFailedWebhook, webhookEventId } from './webhook-event.ts';

type EscrowEventParts = EvidenceParts & {
  /** The outside systems, for the checks of signed events. */
  readonly ofChecks: OutsideSystems;
  /** The same, for the checks of hints, which wait behind everything else. */
  readonly ofHints: OutsideSystems;
  /** False: too many hints came in the last minute. */
  mayCheckHint(): boolean;
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

export type ReceivedEscrowEvent = {
  readonly processed: boolean;
  readonly duplicate: boolean;
  /** A hint beyond the budget: the server did not look at it. */
  readonly isIgnored?: boolean;
};

export type EscrowEvents = ReturnType<typeof createEscrowEvents>;

const PROVIDER = 'escrow-provider';
const DUPLICATE: ReceivedEscrowEvent = { processed: true, duplicate: true };
const NOT_PROCESSED: ReceivedEscrowEvent = { processed: false, duplicate: false };
const IGNORED: ReceivedEscrowEvent = { ...NOT_PROCESSED, isIgnored: true };
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

type Prover = { readonly findOrder: FindOrder; readonly evidence: Evidence };

type Unproven = { readonly place: OrderPlace; readonly claim: EscrowClaim & { readonly signed: boolean } };

/** Whether the event may be applied, is a hint of what the rows show already, or the reason why it cannot be applied. */
const prove = async (
  { findOrder, evidence }: Prover,
  { place: { marketplaceId, orderId }, claim }: Unproven,
): Promise<'proven' | 'known' | { readonly failure: string }> => {
  const found = await findOrder(marketplaceId, orderId);
  if (!found?.escrow) return { failure: 'The order has no escrow.' };
  const view = { ...found, escrow: found.escrow };
  const mismatch = mismatchOf(view, claim);
  if (mismatch !== null) return { failure: mismatch };
  if (!claim.signed && isAlreadyApplied(view, { ...claim, orderId })) return 'known';
  const subject = { marketplaceId, view, claim };
  const isTrusted = claim.signed && !isAboutPart(view.escrow, claim);
  const failure =
    (await evidence.checkTransaction(subject)) ?? (isTrusted ? null : await evidence.checkProvider(subject));
  return failure === null ? 'proven' : { failure };
};

export const createEscrowEvents = (parts: EscrowEventParts) => {
  const { submit, reads, findOrder } = parts;
  const ofChecks: Prover = { findOrder, evidence: createEvidence({ ...parts, ...parts.ofChecks }) };
  const ofHints: Prover = { findOrder, evidence: createEvidence({ ...parts, ...parts.ofHints }) };

  /** A hint that cannot be applied is not stored: otherwise any sender could fill the database. */
  const recordFailure = async ({ received, context }: Stored, failure: string): Promise<ReceivedEscrowEvent> => {
    if (!received.signed) return NOT_PROCESSED;
    const input = { received, failure };
    const { isProcessed } = await runCommand(submit, { command: recordFailedWebhook, input, context });
    return isProcessed ? DUPLICATE : NOT_PROCESSED;
  };

  return {
    async receive(webhook: EscrowWebhook): Promise<ReceivedEscrowEvent> {
      const { type, signed, contractId, milestoneRef } = webhook;
      if (!signed && !parts.mayCheckHint()) return IGNORED;
      if (!isKnownType(type)) return recordFailure(storedFor(webhook, null), 'There is no such event type.');
      const place = await matchOrder(reads, webhook);
      if (typeof place === 'string') return recordFailure(storedFor(webhook, null), place);

      const stored = storedFor(webhook, place);
      const { received, context } = stored;
      if (isDuplicate(await reads.findEvent(place.marketplaceId, received.id), received)) return DUPLICATE;
      const proof = await prove(signed ? ofChecks : ofHints, { place, claim: { ...webhook, type } });
      if (proof === 'known') return DUPLICATE;
      if (proof !== 'proven') return recordFailure(stored, proof.failure);
      const update = { type, orderId: place.orderId, contractId, milestoneRef };
      try {
        const input = { update, received };
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
