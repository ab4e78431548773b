// The alert about a signed escrow event that was set aside: a break whose subject is the event, so that health, metrics and the list of
// breaks show it. Nothing was booked for the event, so the alert says nothing about the books.

import { ALERT_KIND } from '@holdfast/contract/api/reconciliation.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { Log } from '../../observability/logs.ts';
import type { BreakId, Breaks } from '../reconciliation/breaks.ts';
import type { OrderPlace } from './queries.ts';

type Options = {
  readonly breaks: Pick<Breaks, 'see' | 'resolve' | 'resolveAlerts'>;
  readonly log: Pick<Log, 'error' | 'warn'>;
};

/** `eventId`: the id of the stored event. */
type EventPlace = OrderPlace & { readonly eventId: string };

const breakOf = ({ marketplaceId, eventId: subject }: EventPlace): BreakId => ({
  marketplaceId,
  kind: ALERT_KIND,
  subject,
});

export const createEventAlerts = ({ breaks, log }: Options) => ({
  /** `amount`: what the event reports. Null: it is not about money, so there is no alert. */
  async open({ amount, reason, ...place }: EventPlace & { readonly amount: Amount | null; readonly reason: string }) {
    if (amount === null) return;
    log.error({ ...place, reason }, 'a signed escrow webhook about money is not confirmed by provider and ledger');
    await breaks.see({ ...breakOf(place), expected: ZERO, actual: amount });
  },

  /** The event was decided. */
  close: (place: EventPlace): Promise<void> => breaks.resolve(breakOf(place)),

  /** The event was checked for a week in vain. */
  async end({ reason, ...place }: EventPlace & { readonly reason: string }): Promise<void> {
    log.warn({ ...place, reason }, 'a signed escrow webhook was never confirmed and is not checked any more');
    await breaks.resolve(breakOf(place));
  },

  /** Closes alerts that a process left open when it stopped between the decision and its alert. */
  closeDecided: (): Promise<void> => breaks.resolveAlerts(),
});

export type EventAlerts = ReturnType<typeof createEventAlerts>;
