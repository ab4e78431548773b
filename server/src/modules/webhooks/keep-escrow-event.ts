// Keeps a signed escrow event that could not be checked, and checks it again with growing waits. An event that provider and ledger
// contradict twice, or that could not be checked for a day, is set aside for an operator and still checked now and then.

import { formatInstant, parseInstant } from '../../base/instant.ts';
import { type BackOff, backOffMs } from '../../base/wait.ts';
import { command } from '../../commit/command.ts';
import { isDuplicate, type ReceivedEvent, type StoredClaim, storeEvent } from './webhook-event.ts';

const BACK_OFF: BackOff = { firstMs: 30_000, maxMs: 3_600_000 };
/** The waits add up to a day. */
const CHECKS_BEFORE_ALERT = 30;
/** After a week. */
const CHECKS_MAX = 200;

type KeepInput = {
  readonly received: ReceivedEvent;
  readonly claim: StoredClaim;
  readonly reason: string;
  /** False: one of the outside systems could not be asked. */
  readonly isContradicted: boolean;
};

export const keepEscrowEvent = command<KeepInput, { readonly state: 'PROCESSED' | 'PENDING' | 'SET_ASIDE' }>({
  name: 'keep-escrow-event',
  needs: ({ received }) => ({ rows: [{ table: 'webhookEvents', id: received.id }] }),
  decide({ received, claim, reason, isContradicted }, work) {
    const known = work.find('webhookEvents', received.id);
    if (isDuplicate(known, received)) return { state: 'PROCESSED' };
    const checks = (known?.attempts ?? 0) + 1;
    // The provider's own records may lag behind its events, so one contradiction is not enough.
    const isHopeless = (isContradicted && checks > 1) || checks > CHECKS_BEFORE_ALERT;
    const state = known?.state === 'SET_ASIDE' || isHopeless ? 'SET_ASIDE' : 'PENDING';
    const waitMs = state === 'SET_ASIDE' ? BACK_OFF.maxMs : backOffMs(BACK_OFF, checks);
    const nextAttemptAt = checks > CHECKS_MAX ? null : formatInstant((parseInstant(work.now) ?? 0) + waitMs * 1_000);
    storeEvent(work, { received, failure: reason, next: { state, claim, nextAttemptAt } });
    return { state };
  },
});
