// The final answer to a creation, cancellation or commitment: distinguishes repeated, failed and falsified ones.

import { type Answer, no, unknown, yes } from '../../base/answer.ts';
import type { Amount } from '../../books/money.ts';
import type { Payin, Payout } from '../payment-port.ts';

const FAILED: readonly string[] = ['TOPUP_FAILED', 'WITHDRAWAL_FAILED'];

type Creation<T> = { amount: Amount; taken: string; lookUp: () => Promise<Answer<T | null>> };

export async function settleCreation<T extends Payin | Payout>(
  created: Answer<T>,
  { amount, taken, lookUp }: Creation<T>,
): Promise<Answer<T>> {
  // An earlier attempt whose answer was lost shows itself in more ways than "code taken": a payout that used the last of the float
  // makes its own repetition fail for lack of money. So a refusal counts only when nothing is found under our code.
  const found = created.kind === 'no' && created.status !== null ? await orExisting(created, lookUp) : created;
  // The payment exists, and the lookup did not show it.
  if (found.kind === 'no' && found.code === taken) return unknown(found.reason, { code: 'lagging' });
  if (found.kind !== 'yes') return found;
  const { state, reason } = found.value;
  // The payment was created and failed in one answer, with HTTP 200 or not.
  if (FAILED.includes(state)) return no(reason ?? 'The payment failed at once.', { code: 'FAILED', status: 200 });
  // The payment exists, so the answer is not a no. It is not what was requested, so the answer is not a yes.
  if (found.value.amount !== amount)
    return unknown('The payment exists at the provider with another amount.', { code: 'mismatch' });
  return found;
}

type Cancellation<T> = { wanted: string; tooLate: string; lookUp: () => Promise<Answer<T | null>> };

export async function settleCancellation<T extends Payin | Payout>(
  cancelled: Answer<T>,
  { wanted, tooLate, lookUp }: Cancellation<T>,
): Promise<Answer<T>> {
  // "Too late" may also mean that an earlier cancellation succeeded.
  const found = cancelled.kind === 'no' && cancelled.code === tooLate ? await orExisting(cancelled, lookUp) : cancelled;
  if (found.kind !== 'yes' || found.value.state === wanted) return found;
  return no(`The payment is ${found.value.state}.`, { code: found.value.state, status: 200 });
}

const COMMITTED: readonly string[] = [
  'WITHDRAWAL_COMMITTED',
  'WITHDRAWAL_PENDING',
  'WITHDRAWAL_PENDING_USER_ACTION',
  'WITHDRAWAL_COMPLETED',
];

/** An empty 204 is the provider's yes. A body says more and takes precedence over the status. */
export function readCommitment({ status, payout }: { status: number; payout: Payout | null }): Answer<null> {
  if (payout === null)
    return status === 204 ? yes(null) : unknown(`The provider answered ${status} without a body.`, { code: 'unclear' });
  if (COMMITTED.includes(payout.state)) return yes(null);
  if (payout.state === 'WITHDRAWAL_CREATED') return unknown('The payout is not committed yet.', { code: 'lagging' });
  return no(payout.reason ?? `The payout is ${payout.state}.`, { code: payout.state, status });
}

export async function settleCommitment(
  committed: Answer<null>,
  { tooLate, lookUp }: { tooLate: string; lookUp: () => Promise<Answer<Payout | null>> },
): Promise<Answer<null>> {
  if (committed.kind !== 'no' || committed.code !== tooLate) return committed;
  // "Already processed" is also the answer to a repeated commitment whose first answer was lost.
  const found = await lookUp();
  if (found.kind === 'no') return unknown(found.reason, { code: 'unclear' });
  if (found.kind === 'unknown') return found;
  return found.value === null ? committed : readCommitment({ status: 200, payout: found.value });
}

/** The existing payment if there is one, otherwise the refusal. */
async function orExisting<T>(refused: Answer<T>, lookUp: () => Promise<Answer<T | null>>): Promise<Answer<T>> {
  const found = await lookUp();
  if (found.kind === 'no') return unknown(found.reason, { code: 'unclear' });
  if (found.kind === 'unknown') return found;
  return found.value === null ? refused : yes(found.value);
}
