// Applies pay-in events of the payment provider: finds the top-up in any marketplace and submits the update. A signed event is
// trusted as far as it matches the top-up.

import { idPattern } from '@holdfast/contract/ids.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { EventHandler, PaymentEvent } from '../webhooks/payment-events.ts';
import { applyPayin } from './apply-payin.ts';
import type { TopUps } from './operations.ts';
import type { PayinUpdate } from './payin-update.ts';
import type { PlacedTopUp, TopUpReads } from './queries.ts';

export type PayinEventParts = {
  readonly submit: Submit;
  readonly reads: Pick<TopUpReads, 'findAnywhere' | 'findByPayin'>;
  readonly topUps: Pick<TopUps, 'refresh' | 'isRefreshing'>;
  onTrouble(message: string, error: unknown): void;
  /** Receives what was unusual and did no harm. */
  onOddity(message: string, details: Record<string, unknown>): void;
};

type PayinEvent = Extract<PaymentEvent, { kind: 'payin' }>;

const TOPUP_ID = new RegExp(idPattern('topup'));

const updateOf = (event: PayinEvent, topupId: string, currency: string | null): PayinUpdate => ({
  status: event.state,
  // Some senders put our own id there.
  payinId: event.id === topupId ? null : event.id,
  amount: event.amount,
  currency,
  fee: null,
  confirmationUri: null,
  reason: event.reason,
  errorCode: event.reasonCode,
});

export const createPayinEvents = ({ submit, reads, topUps, ...report }: PayinEventParts): EventHandler<'payin'> => {
  const find = async ({ code, id }: PayinEvent): Promise<PlacedTopUp | null> => {
    for (const ours of [code, id]) {
      const found = ours !== null && TOPUP_ID.test(ours) ? await reads.findAnywhere(ours) : null;
      if (found) return found;
    }
    return reads.findByPayin(id);
  };

  return async (event, { told, currency, context }) => {
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
        update: updateOf(event, topup.id, currency),
        webhook: { ...told, subjectId: topup.id },
      },
      context: here,
    });
    const about = { eventId: told.id, type: event.type, topupId: topup.id, status: topup.status };
    if (outcome === 'mismatch') report.onOddity('a payment event does not match its top-up', { ...about, reason });
    if (outcome === 'out-of-order') report.onOddity('a payment event came late and changed nothing', about);
    if (outcome === 'duplicate') return { kind: 'duplicate' };
    return { kind: outcome === 'mismatch' ? 'failed' : 'processed' };
  };
};
