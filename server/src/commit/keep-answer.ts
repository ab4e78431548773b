// Stores the answer to a request that is more than one command. The guard of the submission writes it; the command decides nothing.

import { command, type StoredAnswer } from './command.ts';

export const keepAnswer = command<StoredAnswer, StoredAnswer>({
  name: 'keep-answer',
  needs: () => ({}),
  decide: (answer) => answer,
});
