// Tells when a command has changed a key, after its commit and before its answer, so that the change takes effect with
// the answer.

import type { Submission, Submit } from '../../commit/command.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';

const CHANGING = new Set([revokeApiKey.name, rotateApiKey.name]);

export const tellKeyChanges = (submit: Submit, onChanged: (keyIds: readonly string[]) => void): Submit => {
  const told = async (submission: Submission<unknown, unknown>) => {
    try {
      return await submit(submission);
    } finally {
      // Also after a failure: the commit may have happened and only its answer been lost.
      onChanged([(submission.input as { id: string }).id]);
    }
  };
  return ((submission: Submission<unknown, unknown>) =>
    CHANGING.has(submission.command.name) ? told(submission) : submit(submission)) as Submit;
};
