// Keeps a signed escrow event that could not be checked, and checks it again with growing waits. An event that provider and ledger
// contradict twice, or that could not be checked for a day, is set aside for an operator and still checked now and then. After a week
// it has failed.

import { formatInstant, parseInstant } from '../../base/instant.ts';
import { type BackOff, backOffMs } from '../../base/wait.ts';
import { command } from '../../commit/command.ts';
import { isDuplicate, type ReceivedEvent, type StoredClaim, storeEvent, type WebhookEvent } from './webhook-event.ts';

const BACK_OFF: BackOff = { firstMs: 30_000, maxMs: 3_600_000 };
/** The waits add up to a day. */
const CHECKS_BEFORE_ALERT = 30;
/** The provider's own records may lag behind its events, so one contradiction is not enough. */
const CONTRADICTIONS_BEFORE_ALERT = 2;
const PATIENCE_MICROS = 7 * 24 * 3_600_000_000;

type KeepInput = {
  readonly received: ReceivedEvent;
  readonly claim: StoredClaim;
  readonly reason: string;
  /** False: one of the outside systems could not be asked. */
  readonly isContradicted: boolean;
};

/** A moment as microseconds. The times of rows are always valid. */
const microsOf = (instant: string): number => parseInstant(instant) ?? 0;

const isOver = (known: WebhookEvent | null | undefined, now: string): boolean =>
  known != null && microsOf(now) - microsOf(known.createdAt) > PATIENCE_MICROS;

/** FAILED: it was checked for a week. */
export const keepEscrowEvent = command<KeepInput, { readonly state: WebhookEvent['state'] }>({
  name: 'keep-escrow-event',
  needs: ({ received }) => ({ rows: [{ table: 'webhookEvents', id: received.id }] }),
  decide({ received, claim, reason, isContradicted }, work) {
    const known = work.find('webhookEvents', received.id);
    if (isDuplicate(known, received)) return { state: 'PROCESSED' };
    if (isOver(known, work.now)) {
      storeEvent(work, { received, failure: `The checks ended after a week. ${reason}` });
      return { state: 'FAILED' };
    }
    const checks = (known?.attempts ?? 0) + 1;
    const contradictions = (known?.contradictions ?? 0) + (isContradicted ? 1 : 0);
    const isHopeless = contradictions >= CONTRADICTIONS_BEFORE_ALERT || checks > CHECKS_BEFORE_ALERT;
    const state = known?.state === 'SET_ASIDE' || isHopeless ? 'SET_ASIDE' : 'PENDING';
    const waitMs = state === 'SET_ASIDE' ? BACK_OFF.maxMs : backOffMs(BACK_OFF, checks);
    const nextAttemptAt = formatInstant(microsOf(work.now) + waitMs * 1_000);
    storeEvent(work, { received, failure: reason, next: { state, claim, contradictions, nextAttemptAt } });
    return { state };
  },
});
