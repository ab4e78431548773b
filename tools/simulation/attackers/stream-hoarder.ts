// A tenant that opens many more streams than a marketplace may have, at every server, reads none of them, and keeps them open
// until the step is over. A server gives it its limit and refuses the rest.

import { judgeAttempt } from '../answers.ts';
import { outcomeOf } from './attempts.ts';
import type { Attack, Attacker } from './cast.ts';

const ATTACKER = 'stream hoarder';
/** Streams of one marketplace at one server of the simulation: enough for the readers of the other marketplaces. */
export const STREAMS_PER_MARKETPLACE = 6;
const STREAMS = 3 * STREAMS_PER_MARKETPLACE;

/** The open stream; null when it was refused, or when the server is gone. */
const open = async (
  { environment, cast }: Attack,
  of: { url: string; signal: AbortSignal },
): Promise<Response | null> => {
  const { journal } = environment;
  const headers = { authorization: `Bearer ${cast.key}` };
  try {
    const answer = await fetch(`${of.url}/api/v1/events`, { headers, signal: of.signal });
    const { status } = answer;
    journal.attempt({ attacker: ATTACKER, what: 'stream', outcome: outcomeOf(status), told: String(status) });
    if (answer.ok) return answer;
    const finding = judgeAttempt(status, await answer.text());
    if (finding) journal.violate(`${ATTACKER}: ${finding}`);
  } catch {
    journal.attempt({ attacker: ATTACKER, what: 'stream', outcome: 'unknown', told: 'no answer' });
  }
  return null;
};

export const runStreamHoarder: Attacker = async (attack) => {
  const stop = new AbortController();
  const { signal } = stop;
  await Promise.all(
    attack.environment.serverUrls().map(async (url) => {
      const opened = await Promise.all(Array.from({ length: STREAMS }, () => open(attack, { url, signal })));
      const held = opened.filter((stream) => stream !== null).length;
      if (held > STREAMS_PER_MARKETPLACE) {
        const limit = `a marketplace may have ${STREAMS_PER_MARKETPLACE}`;
        attack.environment.journal.violate(`${ATTACKER}: one server gave it ${held} streams, and ${limit}`);
      }
    }),
  );
  await attack.over;
  stop.abort();
};
