// What the signed-in key may do, in the words that a person needs to get the right to do it.

import { useSession } from '../session.tsx';

export type Right = 'read' | 'write' | 'support' | 'master';

const WHY: Readonly<Record<Right, string>> = {
  read: 'Your key may not read: it lacks the scope “read”. Sign in with one that has it.',
  write: 'Your key may only look: it lacks the scope “write”. Sign in with one that has it.',
  support: 'Your key may not decide this: it lacks the scope “support”. Sign in with one that has it.',
  master: 'Only the master key may do this. Sign in with it.',
};

/** Null when it may; else the reason why not. */
export const useReason = (right: Right): string | null => {
  const { me } = useSession();
  if (right === 'master') return me.type === 'master' ? null : WHY.master;
  return me.scopes.includes('*') || me.scopes.includes(right) ? null : WHY[right];
};
