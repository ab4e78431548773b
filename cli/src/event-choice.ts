// What both commands of the event stream share: which events, whether a server is there at all, and what is said when the
// connection is lost.

import { EVENT_TYPES, type EventType, HoldfastError, type StreamState } from '@holdfast/sdk';
import { wrongUsage } from './failures.ts';
import type { Run } from './run.ts';
import type { Out } from './view/out.ts';
import { harmless } from './view/paint.ts';

/** `order.released,order.refunded`, or all of one kind as `order.*`; the server itself only knows whole names. */
export const typesOf = (text: string | undefined): EventType[] | undefined => {
  if (text === undefined) return undefined;
  return text.split(',').flatMap((each) => {
    const wanted = each.trim();
    const found = EVENT_TYPES.filter(
      (type) => type === wanted || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))),
    );
    if (found.length === 0) throw wrongUsage(`There are no events "${wanted}". There are: ${EVENT_TYPES.join(', ')}.`);
    return found;
  });
};

/** Says when the connection is lost, and when it is back; silent while all is well. */
export const sayStates = (out: Out): ((state: StreamState) => void) => {
  let isLost = false;
  return (state) => {
    if (state.state === 'waiting' && !isLost)
      out.note(out.notePaint.yellow(`The stream is interrupted: ${harmless(state.because.message)}`));
    if (state.state === 'live' && isLost) out.note(out.notePaint.green('The stream goes on.'));
    if (state.state !== 'connecting') isLost = state.state === 'waiting';
  };
};

/** A stream waits for a server that comes back; one that was never there is said at once. */
export const expectServer = async ({ client }: Pick<Run<unknown>, 'client'>): Promise<void> => {
  await client.keys.me().catch((error) => {
    // A token or key without read may still see events.
    if (!(error instanceof HoldfastError) || error.code !== 'INSUFFICIENT_SCOPE') throw error;
  });
};
