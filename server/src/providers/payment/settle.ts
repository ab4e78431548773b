// What a creation or a cancellation came to, once a repeated one, a failed one and a falsified one are told apart.

import { type Answer, no, unknown, yes } from '../../base/answer.ts';
import type { Amount } from '../../books/money.ts';
import type { Payin, Payout } from '../payment-port.ts';

const FAILED: readonly string[] = ['TOPUP_FAILED', 'WITHDRAWAL_FAILED'];

type Creation<T> = { amount: Amount; again: () => Promise<Answer<T | null>> };

export async function settleCreation<T extends Payin | Payout>(
  made: Answer<T>,
  { amount, again }: Creation<T>,
): Promise<Answer<T>> {
  // "Code taken" is not the only way to hear of an earlier attempt whose answer was lost: a payout that took the last of the
  // float makes its own repeat fail for lack of it. So no refusal is believed before nothing is found under our code.
  const found = made.kind === 'no' && made.status !== null ? await lookAgain(made, again) : made;
  if (found.kind !== 'yes') return found;
  const { state, reason } = found.value;
  // Created and failed in one answer, HTTP 200 or not.
  if (FAILED.includes(state)) return no(reason ?? 'It failed at once.', { code: 'FAILED', status: 200 });
  // It exists, so it is no no; and it is not what was asked, so it is no yes.
  if (found.value.amount !== amount) return unknown('mismatch', 'The provider has it over another amount.');
  return found;
}

type Cancellation<T> = { wanted: string; tooLate: string; again: () => Promise<Answer<T | null>> };

export async function settleCancellation<T extends Payin | Payout>(
  cancelled: Answer<T>,
  { wanted, tooLate, again }: Cancellation<T>,
): Promise<Answer<T>> {
  // Too late may also mean that an earlier cancellation went through.
  const found = cancelled.kind === 'no' && cancelled.code === tooLate ? await lookAgain(cancelled, again) : cancelled;
  if (found.kind !== 'yes' || found.value.state === wanted) return found;
  return no(`It is ${found.value.state}.`, { code: found.value.state, status: 200 });
}

const COMMITTED: readonly string[] = [
  'WITHDRAWAL_COMMITTED',
  'WITHDRAWAL_PENDING',
  'WITHDRAWAL_PENDING_USER_ACTION',
  'WITHDRAWAL_COMPLETED',
];

/** An empty 204 is the provider's yes; a body says more and is believed over the status. */
export function readCommitment({ status, payout }: { status: number; payout: Payout | null }): Answer<null> {
  if (payout === null) return status === 204 ? yes(null) : unknown('unclear', `The provider answers ${status} only.`);
  if (COMMITTED.includes(payout.state)) return yes(null);
  if (payout.state === 'WITHDRAWAL_CREATED') return unknown('lagging', 'The payout is not committed yet.');
  return no(payout.reason ?? `It is ${payout.state}.`, { code: payout.state, status });
}

export async function settleCommitment(
  committed: Answer<null>,
  { tooLate, again }: { tooLate: string; again: () => Promise<Answer<Payout | null>> },
): Promise<Answer<null>> {
  if (committed.kind !== 'no' || committed.code !== tooLate) return committed;
  // "Already processed" is also what a repeat of a commitment hears whose answer was lost.
  const found = await again();
  if (found.kind === 'no') return unknown('unclear', found.reason);
  if (found.kind === 'unknown') return found;
  return found.value === null ? committed : readCommitment({ status: 200, payout: found.value });
}

async function lookAgain<T>(refused: Answer<T>, again: () => Promise<Answer<T | null>>): Promise<Answer<T>> {
  const found = await again();
  if (found.kind === 'no') return unknown('unclear', found.reason);
  if (found.kind === 'unknown') return found;
  return found.value === null ? refused : yes(found.value);
}
