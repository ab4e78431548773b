// What has to survive between two requests of one sign-in: a challenge, a secret that is not confirmed yet, the state of a single sign-on. It
// is in a cookie that only this service can read or make, for a few minutes, and for one purpose.

import { hkdfSync } from 'node:crypto';
import { gcmOpen, gcmSeal } from '../../ledger/keys/key-keeper.ts';

/** The contents by purpose. `subject` binds the attempt to an invitation or to an operator. */
type Attempts = {
  totp: { readonly subject: string; readonly secret: string };
  'register-passkey': { readonly subject: string; readonly challenge: string };
  'sign-in-passkey': { readonly challenge: string };
  'single-sign-on': {
    readonly state: string;
    readonly nonce: string;
    readonly verifier: string;
    readonly redirectUri: string;
  };
};

type Purpose = keyof Attempts;

type Parts = {
  readonly secrets: readonly string[];
  nowMs(): number;
  /** Returns false when the value was used before. */
  useOnce(value: string, forMs: number): Promise<boolean>;
};

export type AttemptKeeper = ReturnType<typeof createAttempts>;

export const ATTEMPT_MS = 10 * 60_000;
const KEY_BYTES = 32;

const keyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'holdfast:sign-in-attempt', KEY_BYTES));

/** The first secret seals, all of them open, as for tokens. */
export const createAttempts = ({ secrets, nowMs, useOnce }: Parts) => {
  const keys = secrets.map(keyOf);

  const openWith = (key: Buffer, { sealed, bound }: { sealed: Buffer; bound: Buffer }): Buffer | null => {
    try {
      return gcmOpen(key, { sealed, bound });
    } catch {
      return null;
    }
  };

  return {
    seal<P extends Purpose>(purpose: P, content: Attempts[P]): string {
      const plain = Buffer.from(JSON.stringify({ ...content, until: nowMs() + ATTEMPT_MS }));
      return gcmSeal(keys[0]!, { plain, bound: Buffer.from(purpose) }).toString('base64url');
    },

    /** Null when there is none, it was made for something else, is too old, or was used before. */
    async open<P extends Purpose>(purpose: P, text: string | null): Promise<Attempts[P] | null> {
      if (text === null || !/^[\w-]{40,2000}$/.test(text)) return null;
      const sealed = Buffer.from(text, 'base64url');
      for (const key of keys) {
        const plain = openWith(key, { sealed, bound: Buffer.from(purpose) });
        if (plain === null) continue;
        const { until, ...content } = JSON.parse(plain.toString('utf8'));
        if (until <= nowMs()) return null;
        // A wrong code does not mean that the app has to be registered again.
        if (purpose === 'totp') return content;
        // The text itself does not count: texts with other last characters decode to the same bytes.
        return (await useOnce(sealed.toString('base64url'), ATTEMPT_MS)) ? content : null;
      }
      return null;
    },
  };
};
