// Checks logins. Hashing needs much memory and a whole processor, so only a few passwords are checked at the same time. An attempt is
// counted when it is checked, so that right passwords that arrive together do not block each other.

import { createGate } from '../../../base/gate.ts';
import type { Guesses } from './guesses.ts';
import type { Passwords } from './passwords.ts';

type Try = {
  readonly emailKey: string;
  readonly address: string;
  readonly password: string;
  /** Null: there is no such account. */
  readonly stored: string | null;
};

export type Logins = ReturnType<typeof createLogins>;

/** Half of the threads that the runtime has for such work, and 38 MiB. */
const AT_ONCE = 2;
const WAITING_MAX = 64;

export const createLogins = (parts: { readonly passwords: Passwords; readonly guesses: Guesses }) => {
  const { passwords, guesses } = parts;
  const gate = createGate({ atOnce: AT_ONCE, waitingMax: WAITING_MAX });

  return {
    hash: (password: string): Promise<string> => gate(() => passwords.hash(password)),

    /** Whether the password is right; refuses when there were too many that were not. */
    check: ({ emailKey, address, password, stored }: Try): Promise<boolean> =>
      gate(async () => {
        const guess = await guesses.begin({ emailKey, address });
        const isRight = await passwords.verify(password, stored).catch(async (error: unknown) => {
          await guess.takeBack();
          throw error;
        });
        if (isRight) await guess.succeeded();
        return isRight;
      }),
  };
};
