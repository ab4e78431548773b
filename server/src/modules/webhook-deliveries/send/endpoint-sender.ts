// Sends the events of one endpoint: several at once, in order within a resource, and again after a failure. What is in memory here can be
// lost at any moment: the cursor covers only what is recorded.

import { within } from '../../../base/wait.ts';
import type { WebhookCursor } from '../../webhook-endpoints/endpoint.ts';
import type { AttemptResult } from '../delivery.ts';
import type { PendingDelivery } from '../queries.ts';
import type { Recorded } from '../record-deliveries.ts';
import { createHealth } from './health.ts';
import { createIntake, type IntakeOptions } from './intake.ts';
import type { OutgoingEvent } from './recent-events.ts';
import type { Recorder } from './recorder.ts';
import { createSendQueue, type Item } from './send-queue.ts';

type Options = IntakeOptions & {
  readonly failures: number;
  readonly recorder: Pick<Recorder, 'record'>;
  deliveryIdOf(event: OutgoingEvent): string;
  /** Must not reject. A result after the signal does not count. */
  attempt(item: Item, stopped: AbortSignal): Promise<AttemptResult>;
  /** After each recorded attempt. */
  onRecorded(cursor: WebhookCursor): void;
  /** The receiver will never accept events again. */
  onGone(): void;
  onTrouble(message: string, error: unknown): void;
};

const READ_AGAIN_MS = 1_000;
/** A sender that stops waits so long for answers. What has no answer by then is sent again later. */
const STOP_WAIT_MS = 2_000;

export type EndpointSender = ReturnType<typeof createEndpointSender>;

const newItem = ({ envelope, occurredAt, position, ...event }: OutgoingEvent, deliveryId: string): Item => ({
  deliveryId,
  event: { ...event, position: BigInt(position), createdAt: occurredAt },
  envelope,
  tries: 0,
});

const failedItem = ({ id, tries, nextAttemptAt: _, ...event }: PendingDelivery): Item => ({
  deliveryId: id,
  event,
  envelope: null,
  tries,
});

/** Work that has begun and not ended. */
const createRunning = () => {
  const running = new Set<Promise<void>>();
  return {
    track(work: Promise<void>): void {
      const tracked = work.finally(() => running.delete(tracked));
      running.add(tracked);
    },
    allEnded: () => Promise.all(running),
  };
};

export const createEndpointSender = (options: Options) => {
  const { endpointId, recorder, attempt, onTrouble } = options;
  const toItem = (event: OutgoingEvent): Item => newItem(event, options.deliveryIdOf(event));
  const queue = createSendQueue(() => pump());
  const health = createHealth(options.failures);
  const intake = createIntake(options, (progress) => void recorder.record({ sent: null, progress }));
  const running = createRunning();
  const stopped = new AbortController();
  let sending = 0;
  let isClosed = false;

  const settle = (item: Item, { deliveries, cursors }: Recorded): void => {
    const { nextAttemptAt, tries } = deliveries.get(item.deliveryId)!;
    // Thousands may wait, so the text is read again for the next attempt.
    Object.assign(item, { envelope: null, tries });
    queue.settle(item, nextAttemptAt);
    if (isClosed) queue.clear();
    options.onRecorded(cursors.get(endpointId)!);
  };

  const send = async (item: Item): Promise<void> => {
    sending++;
    const result = await attempt(item, stopped.signal);
    sending--;
    if (stopped.signal.aborted) return;
    if (health.note(result)) queue.tryAll();
    if (result.attempt.error === null) queue.letNext(item);
    const sent = { ...result, deliveryId: item.deliveryId, endpointId, event: item.event };
    const recording = recorder.record({ sent, progress: intake.give(item.event.position) });
    pump();
    const recorded = await recording;
    if (recorded) settle(item, recorded);
    if (result.ends === 'endpoint') options.onGone();
    pump();
  };

  const readMore = async (): Promise<void> => {
    try {
      // A replayed event that waits for its next attempt is tried then.
      for (const item of (await intake.read()).map(toItem)) if (!queue.add(item)) intake.drop(item.event.position);
    } catch (error) {
      onTrouble('events for a webhook endpoint could not be read', error);
      health.pause(READ_AGAIN_MS);
    }
    pump();
  };

  const pump = (): void => {
    if (isClosed) return;
    while (sending < health.atOnce() && queue.hasNext(health.isPaused())) running.track(send(queue.take()!));
    if (health.isPaused()) health.whenOver(pump);
    else if (queue.isEmpty() && intake.hasMore()) running.track(readMore());
  };

  const stop = (): void => {
    isClosed = true;
    queue.clear();
    health.close();
  };

  return {
    endpointId,
    wake: pump,
    /** Events after it are still needed. */
    position: intake.position,
    /** Deliveries that wait for their next attempt, or that a request wants to be tried again. */
    adopt(rows: readonly PendingDelivery[]): void {
      if (isClosed) return;
      for (const row of rows) queue.addFailed(failedItem(row), row.nextAttemptAt);
      pump();
    },
    /** Sends nothing more. Resolves when what was on its way has ended and is recorded. */
    async close(): Promise<void> {
      stop();
      await within(running.allEnded(), { ms: STOP_WAIT_MS, late: () => stopped.abort() });
      await running.allEnded();
      intake.close();
    },
  };
};
