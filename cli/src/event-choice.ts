// Shared by the two commands of the event stream: the choice of event types, the check that a server answers, and the messages
// about a lost connection.

import { EVENT_TYPES, type EventType, HoldfastError, type StreamState } from '@holdfast/sdk';
import { wrongUsage } from './failures.ts';
import type { Run } from './run.ts';
import type { Out } from './view/out.ts';
import { harmless } from './view/paint.ts';

/** `order.released,order.refunded`, or all types of a resource as `order.*`. The server itself knows only exact names. */
export const typesOf = (text: string | undefined): EventType[] | undefined => {
  if (text === undefined) return undefined;
  return text.split(',').flatMap((each) => {
    const wanted = each.trim();
    const found = EVENT_TYPES.filter(
      (type) => type === wanted || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))),
    );
    if (found.length === 0) throw wrongUsage(`Unknown event type "${wanted}". Known types: ${EVENT_TYPES.join(', ')}.`);
    return found;
  });
};

/** Reports when the connection is lost and when it is back. */
export const sayStates = (out: Out): ((state: StreamState) => void) => {
  let isLost = false;
  return (state) => {
    if (state.state === 'waiting' && !isLost)
      out.note(out.notePaint.yellow(`The stream is interrupted: ${harmless(state.because.message)}`));
    if (state.state === 'live' && isLost) out.note(out.notePaint.green('The stream is connected again.'));
    if (state.state !== 'connecting') isLost = state.state === 'waiting';
  };
};

/** A stream waits for a server that restarts. A server that never answered is reported at once. */
export const expectServer = async ({ client }: Pick<Run<unknown>, 'client'>): Promise<void> => {
  await client.keys.me().catch((error) => {
    // A token or key without the scope `read` may still receive events.
    if (!(error instanceof HoldfastError) || error.code !== 'INSUFFICIENT_SCOPE') throw error;
  });
};
