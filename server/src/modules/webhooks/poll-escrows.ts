// Polls open escrows, because the provider may send no event: a bounded number each minute, starting where the last round ended. The
// provider's record is applied like an event.

import type { EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import { type Clock, formatInstant } from '../../base/instant.ts';
import type { Context, Submit } from '../../commit/command.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { EscrowProvider, EscrowRecord } from '../../providers/ports.ts';
import { lapseFunding } from '../escrows/end-funding.ts';
import type { FindOrder } from '../operations/operation-context.ts';
import { applyEscrowRecord } from './apply-escrow-event.ts';
import { isShown } from './escrow-claims.ts';
import type { PolledChange } from './judge-escrow-event.ts';
import { disputedPlaces } from './provider-disputes.ts';
import type { OpenEscrow } from './queries.ts';

type PollParts = {
  readonly submit: Submit;
  /** Null: no escrow provider is configured. */
  readonly escrow: Pick<EscrowProvider, 'findByContract'> | null;
  readonly clock: Clock;
  /** Whether the ledger confirms what the provider's record shows about money. */
  isOnLedger(change: PolledChange): Promise<boolean>;
  readonly findOrder: FindOrder;
  /** Whether a settlement of the order has failed. */
  isHalfDone(marketplaceId: string, orderId: string): Promise<boolean>;
  onTrouble(message: string, error: unknown): void;
};

type Options = {
  /** Open escrows of all marketplaces, after the given one. */
  listOpen(after: OpenEscrow | null, limit: number): Promise<OpenEscrow[]>;
  /** False: the provider did not answer. */
  poll(open: readonly OpenEscrow[]): Promise<boolean>;
};

const POLL = 'escrow-poll';
const PAYOUTS = ['escrow.released', 'escrow.refunded'] as const;
/** A funding that was only reported, and that the provider does not show after this time, is undone. */
const FUNDING_LAPSES_MS = 600_000;
/** Five requests a minute of the fifty that the provider allows. */
const PAGE = 100;
const BATCH = 20;

/** The changes of the whole contract that can happen without a request of ours. Work on milestones is reported by the parties only. */
const wholeTypes = ({ fundedAt }: OpenEscrow['escrow']): readonly EscrowEventType[] =>
  fundedAt === null ? ['escrow.funded'] : PAYOUTS;

type Polled = OpenEscrow & { readonly record: EscrowRecord };

type Change = Pick<PolledChange, 'type' | 'milestoneRef'>;

const isMoved = ({ milestones }: EscrowRecord): boolean =>
  milestones.some(({ flags }) => flags?.released === true || flags?.resolved === true);

/** Payments of single milestones that the record shows and the order does not. A disputed milestone is paid as its dispute is decided. */
const paidParts = async (parts: PollParts, { marketplaceId, escrow, record }: Polled): Promise<Change[]> => {
  const { findOrder, isHalfDone } = parts;
  if (escrow.contractType !== 'multi-release' || escrow.fundedAt === null || !isMoved(record)) return [];
  const view = await findOrder(marketplaceId, escrow.orderId);
  // A running operation finds the payment on its own.
  if (view?.order.status !== 'IN_PROGRESS' || view.operation || view.escrow?.id !== escrow.id) return [];
  if (await isHalfDone(marketplaceId, escrow.orderId)) return [];
  const { milestones } = view;
  const unpaid = milestones.filter(({ status }) => status === 'OPEN' || status === 'COMPLETED');
  return unpaid.flatMap(({ ref: milestoneRef }) => {
    const known = { escrow, operation: null, milestones, milestoneRef };
    const type = PAYOUTS.find((each) => isShown(record, { ...known, type: each }));
    return type === undefined ? [] : [{ type, milestoneRef }];
  });
};

const changesOf = async (parts: PollParts, polled: Polled): Promise<Change[]> => {
  const { escrow, record } = polled;
  const known = { escrow, operation: null, milestones: [], milestoneRef: null };
  const whole = wholeTypes(escrow).find((type) => isShown(record, { ...known, type }));
  if (whole !== undefined) return [{ type: whole, milestoneRef: null }];
  const paid = await paidParts(parts, polled);
  if (paid.length > 0) return paid;
  const isDisputed = escrow.fundedAt !== null && isShown(record, { ...known, type: 'escrow.disputed' });
  return isDisputed ? [{ type: 'escrow.disputed', milestoneRef: null }] : [];
};

const applyRecord = async (parts: PollParts, polled: Polled): Promise<void> => {
  const { submit, clock, isOnLedger } = parts;
  const { marketplaceId, escrow, record } = polled;
  const { orderId } = escrow;
  const context: Context = { marketplaceId, actor: { type: 'system', id: POLL }, requestId: escrow.id };
  const changes = await changesOf(parts, polled);
  for (const change of changes) {
    if (!(await isOnLedger({ marketplaceId, escrow, ...change }))) continue;
    const places = change.type === 'escrow.disputed' ? disputedPlaces(record) : null;
    const input = { ...change, orderId, contractId: record.contractId, places };
    await submit({ command: applyEscrowRecord, input, context });
  }
  const before = formatInstant(clock() - FUNDING_LAPSES_MS * 1_000);
  if (changes.length > 0 || escrow.status !== 'FUNDING' || escrow.updatedAt >= before) return;
  await submit({ command: lapseFunding, input: { orderId, before }, context });
};

export const createEscrowPoll =
  (parts: PollParts): Options['poll'] =>
  async (open) => {
    const contractIds = open.flatMap(({ escrow }) => escrow.providerContractId ?? []);
    const found = await parts.escrow?.findByContract(contractIds);
    if (found?.kind !== 'yes') return false;
    const records = new Map(found.value.map((record) => [record.contractId, record]));
    for (const each of open) {
      const record = records.get(each.escrow.providerContractId ?? '');
      if (record?.engagementId !== each.escrow.orderId) continue;
      try {
        await applyRecord(parts, { ...each, record });
      } catch (error) {
        parts.onTrouble("the provider's record of an escrow could not be applied; it will be polled again", error);
      }
    }
    return true;
  };

export const pollEscrows = ({ listOpen, poll }: Options): Job => {
  let last: OpenEscrow | null = null;
  return {
    ...scheduled('poll-escrows'),
    atStart: true,
    async run() {
      const page = await listOpen(last, PAGE);
      for (let at = 0; at < page.length; at += BATCH) {
        const batch = page.slice(at, at + BATCH);
        // Before the poll: a batch that the provider cannot answer must not block the batches after it for ever.
        last = batch.at(-1) ?? null;
        if (!(await poll(batch))) return;
      }
      if (page.length < PAGE) last = null;
    },
  };
};
