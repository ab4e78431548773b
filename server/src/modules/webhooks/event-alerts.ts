// The alert about a signed escrow event that was set aside: a break of its order, so that health, metrics and the list of breaks show it.

import { type Amount, ZERO } from '../../books/money.ts';
import type { Log } from '../../observability/logs.ts';
import type { BreakId, Breaks } from '../reconciliation/breaks.ts';
import type { OrderPlace } from './queries.ts';

type Options = { readonly breaks: Pick<Breaks, 'see' | 'resolve'>; readonly log: Pick<Log, 'error'> };

const breakOf = ({ marketplaceId, orderId: subject }: OrderPlace): BreakId => ({
  marketplaceId,
  kind: 'escrow-event',
  subject,
});

export const createEventAlerts = ({ breaks, log }: Options) => ({
  /** `amount`: what the event reports. */
  async open({ amount, reason, ...place }: OrderPlace & { readonly amount: Amount; readonly reason: string }) {
    log.error({ ...place, reason }, 'a signed escrow webhook about money is not confirmed by provider and ledger');
    await breaks.see({ ...breakOf(place), expected: ZERO, actual: amount });
  },
  close: (place: OrderPlace): Promise<void> => breaks.resolve(breakOf(place)),
});

export type EventAlerts = ReturnType<typeof createEventAlerts>;
