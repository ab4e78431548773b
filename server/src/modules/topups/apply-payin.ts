// Applies reports of the payment provider about a top-up: answers, webhooks and polls. The stored row decides, so a success
// that is reported several times credits the user once. A signed event is trusted as far as it matches the top-up.

import { idPattern } from '@holdfast/contract/ids.ts';
import { command, runCommand, type Submit, type UnitOfWork } from '../../commit/command.ts';
import type { EventHandler, PaymentEvent } from '../webhooks/payment-events.ts';
import { isDuplicate, type ReceivedEvent, storeEvent } from '../webhooks/webhook-event.ts';
import { isUnpaid, type LateTopUps } from './late-topup.ts';
import { TOPUP_MACHINE, TOPUP_TRIGGERS } from './machine.ts';
import type { TopUps } from './operations.ts';
import { mismatchOf, type PayinUpdate } from './payin-update.ts';
import type { PlacedTopUp, TopUpReads } from './queries.ts';
import { isEnded, type TopUp } from './topup.ts';
import { moveTopUp, recordFee, topUpNeedsNext } from './topup-work.ts';

type ApplyInput = {
  readonly topupId: string;
  readonly update: PayinUpdate;
  /** The webhook that carried the update; stored in the same commit. */
  readonly webhook?: ReceivedEvent;
};

type AppliedPayin = {
  readonly topup: TopUp;
  /** `out-of-order`: the top-up is in a state that the update cannot follow. `mismatch`: the update is about another payment. */
  readonly outcome: 'applied' | 'unchanged' | 'out-of-order' | 'duplicate' | 'mismatch';
  /** Why the update is about another payment. */
  readonly reason?: string;
};

type Reported = { readonly topup: TopUp; readonly update: PayinUpdate };

const applyToEnded = (work: UnitOfWork, { topup, update }: Reported): AppliedPayin => {
  const withFee = recordFee(work, { topup, update });
  if (withFee) return { topup: withFee, outcome: 'applied' };
  return { topup, outcome: topup.status === update.status ? 'unchanged' : 'out-of-order' };
};

const applyUpdate = (work: UnitOfWork, { topup, update }: Reported): AppliedPayin => {
  if (isEnded(topup)) return applyToEnded(work, { topup, update });
  const reason = mismatchOf(topup, update);
  if (reason !== null) return { topup, outcome: 'mismatch', reason };
  if (topup.status === update.status) return { topup, outcome: 'unchanged' };
  const on = TOPUP_TRIGGERS[update.status];
  const row = TOPUP_MACHINE.rows.find((each) => each.from === topup.status && each.on === on);
  if (!row) return { topup, outcome: 'out-of-order' };
  // A webhook does not contain the payer's URL. The answer to the creation does, and so does the next poll.
  if (update.status === 'TOPUP_AWAITING_USER_CONFIRMATION' && update.confirmationUri === null) {
    return { topup, outcome: 'unchanged' };
  }
  return { topup: moveTopUp(work, { topup, row, update }), outcome: 'applied' };
};

export const applyPayin = command<ApplyInput, AppliedPayin>({
  name: 'take-payin',
  needs: ({ topupId, webhook }) => ({
    rows: [{ table: 'topups', id: topupId }, ...(webhook ? [{ table: 'webhookEvents', id: webhook.id } as const] : [])],
  }),
  needsNext: ({ topupId }, work) => topUpNeedsNext(work, topupId),
  decide({ topupId, update, webhook }, work) {
    const topup = work.get('topups', topupId);
    if (webhook && isDuplicate(work.find('webhookEvents', webhook.id), webhook)) return { topup, outcome: 'duplicate' };
    const applied = applyUpdate(work, { topup, update });
    if (webhook) storeEvent(work, { received: webhook, failure: applied.reason ?? null });
    return applied;
  },
});

type PayinEventParts = {
  readonly submit: Submit;
  readonly reads: Pick<TopUpReads, 'findAnywhere' | 'findByPayin'>;
  readonly topUps: Pick<TopUps, 'refresh' | 'isRefreshing'>;
  /** Reads the provider's record of a top-up that is reported as paid after it had ended. */
  readonly checkLate: LateTopUps['check'];
  onTrouble(message: string, error: unknown): void;
  /** Logs an unexpected event that changed nothing. */
  onUnexpected(message: string, details: Record<string, unknown>): void;
};

type PayinEvent = Extract<PaymentEvent, { kind: 'payin' }>;

const TOPUP_ID = new RegExp(idPattern('topup'));

const updateOf = (
  event: PayinEvent,
  { topupId, currency }: { topupId: string; currency: string | null },
): PayinUpdate => ({
  status: event.state,
  // Some senders use our id as the id of the payment.
  payinId: event.id === topupId ? null : event.id,
  amount: event.amount,
  currency,
  fee: null,
  confirmationUri: null,
  reason: event.reason,
  errorCode: event.reasonCode,
});

/** Finds the top-up of an event in any marketplace. */
export const payinFinder =
  (reads: PayinEventParts['reads']) =>
  async ({ code, id }: PayinEvent): Promise<PlacedTopUp | null> => {
    for (const ownId of [code, id]) {
      const found = ownId !== null && TOPUP_ID.test(ownId) ? await reads.findAnywhere(ownId) : null;
      if (found) return found;
    }
    return reads.findByPayin(id);
  };

/** The handler of pay-in events: finds the top-up and submits the update. */
export const createPayinEvents = ({
  submit,
  reads,
  topUps,
  checkLate,
  ...report
}: PayinEventParts): EventHandler<'payin'> => {
  const find = payinFinder(reads);

  return async (event, { received, currency, context }) => {
    const placed = await find(event);
    if (!placed) return { kind: 'unmatched', reason: 'No top-up matches the event.' };
    const { marketplaceId, topup } = placed;
    const here = { ...context, marketplaceId };
    const isNew = topup.status === 'TOPUP_CREATED' && event.state === 'TOPUP_AWAITING_USER_CONFIRMATION';
    // No request waits for the answer to the creation any more, and only the provider's record contains the payer's URL.
    if (isNew && !topUps.isRefreshing(topup.id)) {
      await topUps
        .refresh(here, topup)
        .catch((error: unknown) => report.onTrouble('a top-up could not be refreshed', error));
    }
    const { outcome, reason } = await runCommand(submit, {
      command: applyPayin,
      input: {
        topupId: topup.id,
        update: updateOf(event, { topupId: topup.id, currency }),
        webhook: { ...received, subjectId: topup.id },
      },
      context: here,
    });
    const about = { eventId: received.id, type: event.type, topupId: topup.id, status: topup.status };
    if (outcome === 'mismatch') report.onUnexpected('a payment event does not match its top-up', { ...about, reason });
    if (outcome === 'out-of-order') report.onUnexpected('a payment event came late and changed nothing', about);
    if (outcome === 'out-of-order' && event.state === 'TOPUP_SUCCEEDED' && isUnpaid(topup)) {
      await checkLate(here, topup).catch((error: unknown) =>
        report.onTrouble('a top-up that was paid late could not be checked', error),
      );
    }
    if (outcome === 'duplicate') return { kind: 'duplicate' };
    return { kind: outcome === 'mismatch' ? 'failed' : 'processed' };
  };
};
