// Takes what the escrow provider tells, and what it shows when it is asked: finds the order, asks for whatever proof is
// missing, and submits. Nothing moves on an unsigned word alone.

import { ESCROW_EVENT_TYPES, type EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import { DEFAULT_MARKETPLACE, idPattern } from '@holdfast/contract/ids.ts';
import { isDomainError } from '../../../base/domain-error.ts';
import { type Clock, formatInstant } from '../../../base/instant.ts';
import type { Context, Submit } from '../../../commit/command.ts';
import type { EscrowRecord } from '../../../providers/ports.ts';
import type { OrderView } from '../../orders/order-view.ts';
import { isDuplicate, noteWebhook, type ToldEvent } from '../../webhooks/record-webhook.ts';
import { webhookEventId } from '../../webhooks/webhook-event.ts';
import type { Escrow } from '../escrow.ts';
import { lapseFunding } from '../lapse-funding.ts';
import type { EscrowReads, OpenEscrow, OrderPlace } from '../queries.ts';
import { type EscrowNews, isSoAlready, seeEscrow, takeEscrowEvent } from './apply-escrow-event.ts';
import { type EscrowClaim, isShown, misfitOf } from './claims.ts';
import { createEvidence, type EvidenceParts } from './evidence.ts';

export type EscrowEventParts = EvidenceParts & {
  readonly submit: Submit;
  readonly reads: Pick<EscrowReads, 'ordersOfContract' | 'placeOf' | 'findEvent'>;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
  readonly clock: Clock;
  onTrouble(message: string, error: unknown): void;
};

export type EscrowWebhook = Omit<EscrowClaim, 'type'> & {
  readonly eventId: string;
  /** May be one that we do not know. */
  readonly type: string;
  readonly orderId: string | null;
  readonly signed: boolean;
  readonly requestId: string;
};

export type Taken = { readonly processed: boolean; readonly duplicate: boolean };

const PROVIDER = 'escrow-provider';
const POLL = 'escrow-poll';
const DUPLICATE: Taken = { processed: true, duplicate: true };
const NOT_TAKEN: Taken = { processed: false, duplicate: false };
const HINTS_MAX = 10;
const HINTS_WINDOW_MS = 10_000;
const ORDER_ID = new RegExp(idPattern('order'));
const FUNDING_LAPSES_MS = 600_000;

const isKnownType = (type: string): type is EscrowEventType => ESCROW_EVENT_TYPES.some((known) => known === type);

type Kept = { readonly told: ToldEvent; readonly context: Context };

/** As it is kept: beside its order, or where everything is kept that has none. */
const keptFor = ({ eventId, type, signed, requestId }: EscrowWebhook, place: OrderPlace | null): Kept => ({
  told: { id: webhookEventId(PROVIDER, eventId), provider: PROVIDER, type, signed, subjectId: place?.orderId ?? null },
  context: {
    marketplaceId: place?.marketplaceId ?? DEFAULT_MARKETPLACE,
    actor: { type: 'system', id: PROVIDER },
    requestId,
  },
});

/** What an open escrow could have become without us; milestones are the parties' own to tell of. */
const possibleNews = ({ fundedAt }: OpenEscrow['escrow']): readonly EscrowEventType[] =>
  fundedAt === null ? ['escrow.funded'] : ['escrow.released', 'escrow.refunded', 'escrow.disputed'];

/** A payout that names one milestone, or one transaction, of a contract that pays each milestone by itself. */
const isAboutPart = (escrow: Escrow, { type, milestoneRef, transactionHash }: EscrowClaim): boolean =>
  escrow.contractType === 'multi-release' &&
  (type === 'escrow.released' || type === 'escrow.refunded') &&
  (milestoneRef !== null || transactionHash !== null);

export const createEscrowEvents = (parts: EscrowEventParts) => {
  const hints = new Map<string, { since: number; count: number }>();

  const mayLook = (escrowId: string): boolean => {
    const now = performance.now();
    for (const [id, { since }] of hints) if (since + HINTS_WINDOW_MS < now) hints.delete(id);
    const own = hints.get(escrowId) ?? { since: now, count: 0 };
    hints.set(escrowId, own);
    own.count += 1;
    return own.count <= HINTS_MAX;
  };

  const { submit, reads, clock, onTrouble, escrow: provider } = parts;
  const evidence = createEvidence(parts);

  /** The order it is about, or why there is none. */
  const match = async ({ contractId, orderId }: EscrowWebhook): Promise<OrderPlace | string> => {
    const ofContract = contractId === null ? [] : await reads.ordersOfContract(contractId);
    if (orderId === null) {
      const [only] = ofContract;
      return only && ofContract.length === 1 ? only : 'There is no order with this contract.';
    }
    if (ofContract.some((other) => other.orderId !== orderId)) return "The contract is another order's.";
    return (ORDER_ID.test(orderId) ? await reads.placeOf(orderId) : null) ?? 'There is no such order.';
  };

  const keepFailure = async ({ told, context }: Kept, failure: string): Promise<Taken> => {
    const outcome = await submit({ command: noteWebhook, input: { told, failure }, context });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    return outcome.reply.taken ? DUPLICATE : NOT_TAKEN;
  };

  /** Whether it is proven, or why it cannot be taken. */
  const judge = async (place: OrderPlace, claim: EscrowClaim & { signed: boolean }): Promise<boolean | string> => {
    const { marketplaceId, orderId } = place;
    const found = await parts.findOrder(marketplaceId, orderId);
    if (!found?.escrow) return 'The order has no escrow.';
    const view = { ...found, escrow: found.escrow };
    const misfit = misfitOf(view, claim);
    if (misfit !== null) return misfit;
    if (!claim.signed && isSoAlready(view, { ...claim, orderId })) return false;
    // Contract ids are public, and anybody may send hints: they must not use up what we may ask of the provider.
    if (!claim.signed && !mayLook(view.escrow.id))
      return 'There were too many hints about this escrow. Tell it again later.';
    const told = { marketplaceId, view, claim };
    const untrue = await evidence.ofTransaction(told);
    if (untrue !== null || (claim.signed && !isAboutPart(view.escrow, claim))) return untrue ?? true;
    return (await evidence.ofProvider(told)) ?? true;
  };

  const follow = async ({ marketplaceId, escrow }: OpenEscrow, record: EscrowRecord): Promise<void> => {
    const { orderId } = escrow;
    const context: Context = { marketplaceId, actor: { type: 'system', id: POLL }, requestId: escrow.id };
    const known = { escrow, operation: null, milestones: [], milestoneRef: null };
    const type = possibleNews(escrow).find((each) => isShown(record, { ...known, type: each }));
    if (type !== undefined) {
      const news: EscrowNews = { type, orderId, contractId: record.contractId, milestoneRef: null };
      await submit({ command: seeEscrow, input: news, context });
      return;
    }
    const before = formatInstant(clock() - FUNDING_LAPSES_MS * 1_000);
    if (escrow.status !== 'FUNDING' || escrow.updatedAt >= before) return;
    await submit({ command: lapseFunding, input: { orderId, before }, context });
  };

  return {
    async take(webhook: EscrowWebhook): Promise<Taken> {
      const { type, contractId, milestoneRef } = webhook;
      // What nobody signed and nothing matches is not worth a row: anybody could fill the database with it.
      const leave = (failure: string): Promise<Taken> | Taken =>
        webhook.signed ? keepFailure(keptFor(webhook, null), failure) : NOT_TAKEN;
      if (!isKnownType(type)) return leave('There is no such event type.');
      const place = await match(webhook);
      if (typeof place === 'string') return leave(place);

      const { orderId } = place;
      const { told, context } = keptFor(webhook, place);
      if (isDuplicate(await reads.findEvent(place.marketplaceId, told.id), told)) return DUPLICATE;
      const proven = await judge(place, { ...webhook, type });
      if (typeof proven === 'string') return keepFailure({ told, context }, proven);
      const news: EscrowNews = { type, orderId, contractId, milestoneRef };
      try {
        const outcome = await submit({ command: takeEscrowEvent, input: { news, proven, told }, context });
        return { processed: true, duplicate: outcome.kind === 'reply' && outcome.reply.duplicate };
      } catch (error) {
        // Nothing was decided then, so the provider has to tell it again.
        if (!isDomainError(error) || error.code === 'SERVICE_UNAVAILABLE') throw error;
        return keepFailure({ told, context }, error.message);
      }
    },

    /** Looks at a few open escrows, and does what an event would have done. False: the provider did not answer. */
    async look(open: readonly OpenEscrow[]): Promise<boolean> {
      const contractIds = open.flatMap(({ escrow }) => escrow.providerContractId ?? []);
      const found = await provider?.findByContract(contractIds);
      if (found?.kind !== 'yes') return false;
      const records = new Map(found.value.map((record) => [record.contractId, record]));
      for (const one of open) {
        const record = records.get(one.escrow.providerContractId ?? '');
        if (record?.engagementId !== one.escrow.orderId) continue;
        try {
          await follow(one, record);
        } catch (error) {
          onTrouble('what the escrow provider shows of an order could not be taken; it is looked at again', error);
        }
      }
      return true;
    },
  };
};

export type EscrowEvents = ReturnType<typeof createEscrowEvents>;
