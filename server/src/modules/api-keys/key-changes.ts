// What happens after a command has changed a key: every process forgets the key, so that the change takes effect with the answer.

import type { Reaction } from '../../commit/reactions.ts';

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'api-key-changed': { readonly keyId: string };
  }
}

/** Also after a failure: the commit may have happened and only its answer may be lost. */
export const keyChanged = ({ input }: { readonly input: { readonly id: string } }): readonly Reaction[] => [
  { name: 'api-key-changed', payload: { keyId: input.id } },
];
