// The permissions of the signed-in key, and the message for a missing one.

import { useSession } from '../session.tsx';

export type Right = 'read' | 'write' | 'support' | 'master';

const WHY: Readonly<Record<Right, string>> = {
  read: 'Your key cannot view data: it lacks the “read” scope. Sign in with a key that has it.',
  write: 'Your key is read-only: it lacks the “write” scope. Sign in with a key that has it.',
  support: 'Your key cannot do this: it lacks the “support” scope. Sign in with a key that has it.',
  master: 'Only the master key can do this. Sign in with the master key.',
};

/** Null when the key has the permission, otherwise the reason why not. */
export const useReason = (right: Right): string | null => {
  const { me } = useSession();
  if (right === 'master') return me.type === 'master' ? null : WHY.master;
  return me.scopes.includes('*') || me.scopes.includes(right) ? null : WHY[right];
};
