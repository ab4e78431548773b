// The clock of deadlines: each server follows the clock of its own companion simulators, which this moves together. A server that was
// killed is moved again after its start, so that its clock is behind those of the others for a moment.

import type { Journal } from '../journal.ts';
import type { Server } from '../servers.ts';

/** Smaller differences are the time of the calls. */
const CLOSE_ENOUGH_MS = 1_500;

type Of = { readonly masterKey: string; readonly journal: Journal };

const advance = async (server: Server, of: Of & { seconds: number }): Promise<number> => {
  const answer = await fetch(`${server.url}/api/v1/sandbox/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${of.masterKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ seconds: of.seconds }),
  });
  const text = await answer.text();
  if (answer.status < 500 && !answer.ok)
    of.journal.violate(`the clock of deadlines was not moved: ${answer.status} ${text}`);
  if (!answer.ok) throw new Error(`the server cannot move its clock now: ${answer.status}`);
  const { data } = JSON.parse(text);
  return Date.parse((data.data ?? data).time);
};

export const openDeadlineClock = (servers: readonly Server[], of: Of) => {
  let offsetMs = 0;
  const queues = new Map<Server, Promise<void>>();

  const move = async (server: Server): Promise<void> => {
    const behindMs = offsetMs - ((await advance(server, { ...of, seconds: 0 })) - Date.now());
    if (behindMs > CLOSE_ENOUGH_MS) await advance(server, { ...of, seconds: Math.ceil(behindMs / 1_000) });
  };
  /** One after the other for each server. One that is down is moved after its start. */
  const follow = (server: Server): Promise<void> => {
    const moved = (queues.get(server) ?? Promise.resolve()).then(() => move(server)).catch(() => {});
    queues.set(server, moved);
    return moved;
  };

  const followAll = async (): Promise<void> => {
    await Promise.all(servers.filter(({ program }) => program?.isAlive()).map(follow));
  };

  return {
    follow,
    /** Again for servers that did not answer. */
    followAll,
    /** Milliseconds since 1970. */
    now: (): number => Date.now() + offsetMs,
    async advance(seconds: number): Promise<void> {
      offsetMs += seconds * 1_000;
      await followAll();
    },
  };
};
