// What an error of the server means for one row of an import: it is there already, it waits, it was refused, or its key is in use. Only a
// refused row gets another Idempotency-Key in the next run: for every other one a new key could write the row twice.

import { HoldfastError } from '@holdfast/sdk';
import { endedWithout } from './requested.ts';
import { KEY_IN_USE } from './state-file.ts';
import type { Target } from './target.ts';

type Verdict = {
  readonly ended: 'there' | 'waiting' | 'refused' | 'stopped';
  readonly code: string;
  readonly reason: string;
};

/** Refusals of the API key: every other row would get the same one. */
const OF_THE_KEY: readonly string[] = ['UNAUTHORIZED', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED'];

const IN_PROGRESS = 'The same request is still being processed. Run the same command again in a minute.';
const REUSED =
  'This row was sent before with other data, and that request may be written or wait for approval. `holdfast approvals list` shows what waits. Restore the row in the source, or run the same command again a day after the first request. Do not send it under another --id.';

/** The server repeats its first answer for a key, so the approval itself says what became of the request. */
const pending = async ({ client, signal }: Target, error: HoldfastError<'APPROVAL_PENDING'>): Promise<Verdict> => {
  const { code, message: reason } = error;
  const approval = await client.approvals.get(error.details.approval.id, { signal }).catch((failed: unknown) => {
    if (failed instanceof HoldfastError && failed.code === 'APPROVAL_NOT_FOUND') return null;
    throw failed;
  });
  if (approval?.status === 'APPROVED') return { ended: 'there', code, reason };
  const why = approval && endedWithout(approval);
  return why === null
    ? { ended: 'waiting', code, reason }
    : { ended: 'refused', code: `APPROVAL_${approval!.status}`, reason: why };
};

/** An error that concerns more than the row is thrown again and ends the run. */
export const verdictOf = async (target: Target, error: unknown): Promise<Verdict> => {
  if (!(error instanceof HoldfastError) || error.outcomeUnknown || error.status === null) throw error;
  if (error.status >= 500 || OF_THE_KEY.includes(error.code)) throw error;
  const code: string = error.code;
  if (error.code === 'APPROVAL_PENDING') return pending(target, error as HoldfastError<'APPROVAL_PENDING'>);
  if (code === 'OPENING_BALANCE_EXISTS') return { ended: 'there', code, reason: error.message };
  if (!code.startsWith(KEY_IN_USE)) return { ended: 'refused', code, reason: error.message };
  return { ended: 'stopped', code, reason: code === `${KEY_IN_USE}IN_PROGRESS` ? IN_PROGRESS : REUSED };
};
