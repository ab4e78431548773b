// The answer to a request that is more than one command: looked for before it is carried out, and kept when it is over.
// Neither decides anything; the guard of the submission does the work.

import { Fault } from '../base/domain-error.ts';
import { command, type StoredAnswer } from './command.ts';

/** Never leaves the house: it only says that the request is a new one. */
export const NO_ANSWER_YET = new Fault('IDEMPOTENCY_KEY_IN_PROGRESS');

/** A stored answer comes back before this decides. It refuses, because only then the database is asked for one too. */
export const findAnswer = command<null, never>({
  name: 'find-answer',
  needs: () => ({}),
  decide() {
    throw NO_ANSWER_YET;
  },
});

export const keepAnswer = command<StoredAnswer, StoredAnswer>({
  name: 'keep-answer',
  needs: () => ({}),
  decide: (answer) => answer,
});
