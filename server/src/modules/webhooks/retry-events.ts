// The job that checks kept escrow events again: a bounded number in each run, fresh ones first. Alerts about
// events that are decided by now are closed.

import { type Clock, formatInstant } from '../../base/instant.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { EscrowEvents } from './escrow-events.ts';
import type { EventAlerts } from './event-alerts.ts';
import type { EscrowReads } from './queries.ts';

type Options = {
  readonly reads: Pick<EscrowReads, 'listKept'>;
  readonly events: Pick<EscrowEvents, 'retry'>;
  readonly alerts: Pick<EventAlerts, 'closeDecided'>;
  readonly clock: Clock;
  onTrouble(message: string, error: unknown): void;
};

/** Each may cost a few requests to the outside systems. */
const EVENTS_MAX = 20;

export const retryEscrowEvents = ({ reads, events, alerts, clock, onTrouble }: Options): Job => ({
  ...scheduled('retry-webhooks'),
  async run() {
    for (const kept of await reads.listKept(EVENTS_MAX, formatInstant(clock()))) {
      try {
        await events.retry(kept);
      } catch (error) {
        onTrouble('a kept escrow event could not be checked; it will be checked again', error);
      }
    }
    await alerts.closeDecided();
  },
});
