// Counts what is being worked on and says when that is enough: whoever comes then is refused at the door, before it has cost
// anything, so that those inside are answered soon. A burst may come in; a line that takes longer than a second may not grow.
// Without it a flood waits for a minute and nobody is refused.

import type { FastifyReply } from 'fastify';

export type Crowd = {
  hasRoom(): boolean;
  /** False when there is no room. Whoever is let in counts until its answer has ended, or its client has left. */
  letIn(reply: FastifyReply): boolean;
};

const SECOND_MS = 1_000;
/** A few that take long are no line: there is always room for so many. */
const ROOM_LEAST = 32;

export const createCrowd = ({ max, now = () => performance.now() }: { max: number; now?: () => number }): Crowd => {
  let [inside, answered, room, countedFrom] = [0, 0, max, now()];

  /** Once a second: room for as many as the last second has answered, while there are more than that inside. */
  const lookAround = (): void => {
    const elapsedMs = now() - countedFrom;
    if (elapsedMs < SECOND_MS) return;
    const perSecond = Math.ceil((answered * SECOND_MS) / elapsedMs);
    room = inside > perSecond ? Math.min(max, Math.max(ROOM_LEAST, perSecond)) : max;
    [answered, countedFrom] = [0, now()];
  };

  const hasRoom = (): boolean => {
    lookAround();
    return inside < room;
  };

  return {
    hasRoom,
    letIn({ raw }) {
      if (!hasRoom()) return false;
      inside++;
      raw.once('close', () => {
        inside--;
        answered++;
      });
      return true;
    },
  };
};
