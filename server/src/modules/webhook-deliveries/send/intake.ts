// Takes the events of one endpoint from the stream, a few at a time, and knows how far the cursor may move: up to the first event that was
// taken and not given to the recorder.

import type { Progress } from '../record-deliveries.ts';
import type { OutgoingEvent, RecentEvents } from './recent-events.ts';

export type IntakeOptions = {
  readonly endpointId: string;
  readonly types: ReadonlySet<string> | null;
  /** Where the cursor is. */
  readonly position: number;
  readonly replays: number;
  readonly events: Pick<RecentEvents, 'read' | 'head'>;
};

/** Events that are taken and not given to the recorder. */
const TAKEN_MAX = 200;
/** Events that do not match move the cursor too, but not with a commit for each. */
const UNMATCHED_MAX = 1_000;
const UNMATCHED_MS = 5_000;

export const createIntake = (options: IntakeOptions, recordProgress: (progress: Progress) => void) => {
  const { endpointId, replays, types, events } = options;
  const taken = new Set<number>();
  let { position } = options;
  /** Events that left the stream before they could be taken, and that are not recorded yet. */
  let missed = 0;
  let recordedPosition = position;
  let timer: NodeJS.Timeout | null = null;
  let isReading = false;

  const progress = (): Progress => {
    const [first] = taken;
    recordedPosition = first === undefined ? position : first - 1;
    const newlyMissed = missed;
    missed = 0;
    return { endpointId, position: recordedPosition, replays, missed: newlyMissed };
  };

  const recordUnmatched = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (taken.size === 0 && position > recordedPosition) recordProgress(progress());
  };

  const noteUnmatched = (): void => {
    if (taken.size > 0) return;
    if (position - recordedPosition >= UNMATCHED_MAX) recordUnmatched();
    else timer ??= setTimeout(recordUnmatched, UNMATCHED_MS).unref();
  };

  return {
    /** Events after it are still needed. */
    position: (): number => position,
    /** Nothing more is taken before some of the events are sent. */
    isFull: (): boolean => taken.size >= TAKEN_MAX,
    hasMore: (): boolean => !isReading && taken.size < TAKEN_MAX && position < events.head,
    /** Returns the next events. Fails when they could not be read. */
    async read(): Promise<readonly OutgoingEvent[]> {
      isReading = true;
      try {
        const page = await events.read({ after: position, types, limit: TAKEN_MAX - taken.size });
        position = Math.max(position, page.upTo);
        missed += page.missed;
        for (const event of page.events) taken.add(event.position);
        noteUnmatched();
        return page.events;
      } finally {
        isReading = false;
      }
    },
    /** The event is not sent, because it is queued already. */
    drop(eventPosition: bigint | null): void {
      taken.delete(Number(eventPosition));
      noteUnmatched();
    },
    /** The event goes to the recorder now. Returns how far the endpoint is once it and all before it are recorded. */
    give(eventPosition: bigint | null): Progress {
      if (eventPosition !== null) taken.delete(Number(eventPosition));
      return progress();
    },
    close(): void {
      recordUnmatched();
      if (timer) clearTimeout(timer);
    },
  };
};
