// Counts what is being worked on and says when that is enough: whoever comes then is refused at the door, before it has cost
// anything, so that those inside are answered soon. Without it a flood waits for a minute and nobody is refused.

import type { FastifyReply } from 'fastify';

export type Crowd = {
  hasRoom(): boolean;
  /** False when there is no room. Whoever is let in counts until its answer has ended, or its client has left. */
  letIn(reply: FastifyReply): boolean;
};

export const createCrowd = (max: number): Crowd => {
  let inside = 0;
  const hasRoom = (): boolean => inside < max;
  return {
    hasRoom,
    letIn({ raw }) {
      if (!hasRoom()) return false;
      // Whoever has left already is told nothing, and would count for ever.
      if (raw.destroyed) return true;
      inside++;
      raw.once('close', () => {
        inside--;
      });
      return true;
    },
  };
};
