// The forms of a webhook. `native` is the payment provider's own form with its event names; `neutral` is the form of the spec, which
// also has names for the intermediate steps.

import type { PayinStatus, PayoutStatus } from './moves.ts';

type Spelling = 'native' | 'neutral';

export type Announcement = {
  kind: 'payin' | 'payout';
  status: PayinStatus | PayoutStatus;
  id: string;
  code: string | null;
  enterprise: string;
  // The whole payin or payout as the API presents it.
  data: Record<string, unknown>;
  // Also for steps that the provider itself does not report.
  always: boolean;
};

type Names = { native: string | null; neutral: string };

const PAYIN_EVENTS: Record<PayinStatus, Names> = {
  CREATED: { native: 'payin.created', neutral: 'payin.created' },
  PROCESSING: { native: null, neutral: 'payin.processing' },
  CONFIRMED: { native: 'payin.confirmed', neutral: 'payin.succeeded' },
  FAILED: { native: 'payin.failed', neutral: 'payin.failed' },
  CANCELED: { native: 'payin.canceled', neutral: 'payin.canceled' },
};

const PAYOUT_EVENTS: Record<PayoutStatus, Names> = {
  CREATED: { native: 'payout.created', neutral: 'payout.created' },
  COMMITTED: { native: null, neutral: 'payout.committed' },
  PENDING: { native: null, neutral: 'payout.pending' },
  PENDING_USER_ACTION: { native: null, neutral: 'payout.pending_user_action' },
  COMPLETED: { native: 'payout.completed', neutral: 'payout.completed' },
  FAILED: { native: 'payout.failed', neutral: 'payout.failed' },
  CANCELED: { native: 'payout.canceled', neutral: 'payout.canceled' },
};

// null when the provider sends nothing for this step.
export function nameEvent({ kind, status, always }: Announcement, spelling: Spelling): string | null {
  const names = kind === 'payin' ? PAYIN_EVENTS[status as PayinStatus] : PAYOUT_EVENTS[status as PayoutStatus];
  if (spelling === 'neutral') return names.neutral;
  return names.native ?? (always ? names.neutral : null);
}

export function writeBody(
  data: Record<string, unknown>,
  event: { id: string; type: string; at: string; in: Spelling },
) {
  if (event.in === 'native') return JSON.stringify({ type: event.type, data });
  const { reasonCode = null, reasonDescription = data.failureReason ?? null } = data;
  return JSON.stringify({
    eventId: event.id,
    eventType: event.type,
    occurredAt: event.at,
    data: { ...data, currency: 'USD', reasonCode, reasonDescription },
  });
}
