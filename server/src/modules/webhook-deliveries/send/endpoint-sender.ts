// Sends the events of one endpoint: several at once, in order within a resource, and again after a failure. What is in memory here can be
// lost at any moment: the cursor covers only what is recorded.

import { within } from '../../../base/wait.ts';
import type { WebhookCursor } from '../../webhook-endpoints/endpoint.ts';
import type { AttemptResult } from '../delivery.ts';
import type { PendingDelivery } from '../pending-queries.ts';
import type { Recorded } from '../record-deliveries.ts';
import { createAdoption } from './adoption.ts';
import { createHealth } from './health.ts';
import { createIntake, type IntakeOptions } from './intake.ts';
import type { OutgoingEvent } from './recent-events.ts';
import type { Recorder } from './recorder.ts';
import { createSendQueue, type Item, type SendQueue } from './send-queue.ts';

type Options = IntakeOptions & {
  readonly failures: number;
  readonly recorder: Pick<Recorder, 'record'>;
  deliveryIdOf(event: OutgoingEvent): string;
  /** Rejects when the request could not be made because of this server. A result after the signal does not count. */
  attempt(item: Item, stopped: AbortSignal): Promise<AttemptResult>;
  /** After each recorded attempt. */
  onRecorded(cursor: WebhookCursor): void;
  /** The receiver will never accept events again. */
  onGone(): void;
  /** Of the endpoint, whenever they are due. */
  readPending(): Promise<readonly PendingDelivery[]>;
  onTrouble(message: string, error: unknown): void;
};

/** After a failure of this server. */
const AGAIN_MS = 1_000;
/** When so many attempts are not recorded, the next ones wait: after a crash they would all be repeated. */
const UNRECORDED_MAX = 200;
/** An endpoint that refuses so many events gets new ones when some of those were accepted or given up. */
const WAITING_MAX = 5_000;
/** A sender that stops waits so long for answers. What has no answer by then is sent again later. */
const STOP_WAIT_MS = 2_000;

export type EndpointSender = ReturnType<typeof createEndpointSender>;

const newItem = ({ envelope, occurredAt, position, ...event }: OutgoingEvent, deliveryId: string): Item => ({
  deliveryId,
  event: { ...event, position: BigInt(position), createdAt: occurredAt },
  envelope,
  tries: 0,
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

type Intake = ReturnType<typeof createIntake>;

type Adoption = ReturnType<typeof createAdoption>;

type Parts = { readonly queue: SendQueue; readonly intake: Intake; readonly adoption: Adoption };

/** Records attempts, and puts what is tried again back into the queue. */
const createOutcomes = ({ endpointId, recorder, onRecorded }: Options, { queue, intake, adoption }: Parts) => {
  let unrecorded = 0;

  const settle = (item: Item, { deliveries, cursors }: Recorded): void => {
    const { nextAttemptAt, tries } = deliveries.get(item.deliveryId)!;
    // Thousands may wait, so the text is read again for the next attempt.
    Object.assign(item, { envelope: null, tries });
    adoption.noteSettled(item.deliveryId);
    queue.settle(item, nextAttemptAt);
    onRecorded(cursors.get(endpointId)!);
  };

  return {
    unrecorded: (): number => unrecorded,
    /** The results of an endpoint are recorded in the order of these calls. */
    async record(item: Item, result: AttemptResult): Promise<void> {
      const sent = { ...result, deliveryId: item.deliveryId, endpointId, event: item.event };
      unrecorded++;
      const recorded = await recorder.record({ sent, progress: intake.give(item.event.position) });
      unrecorded--;
      if (recorded) settle(item, recorded);
    },
  };
};

/** Null: the request could not be made because of this server. */
const tryOnce = async (
  { attempt, onTrouble }: Options,
  { item, stopped }: { item: Item; stopped: AbortSignal },
): Promise<AttemptResult | null> => {
  try {
    return await attempt(item, stopped);
  } catch (error) {
    onTrouble('a webhook delivery could not be prepared; it is tried again', error);
    return null;
  }
};

export const createEndpointSender = (options: Options) => {
  const { endpointId, recorder, onTrouble } = options;
  const toItem = (event: OutgoingEvent): Item => newItem(event, options.deliveryIdOf(event));
  const queue = createSendQueue(() => pump());
  const health = createHealth(options.failures);
  const intake = createIntake(options, (progress) => void recorder.record({ sent: null, progress }));
  const adoption = createAdoption({ ...options, queue, isClosed: () => isClosed });
  const outcomes = createOutcomes(options, { queue, intake, adoption });
  const running = createRunning();
  const stopped = new AbortController();
  let sending = 0;
  let isClosed = false;

  const send = async (item: Item): Promise<void> => {
    sending++;
    const result = await tryOnce(options, { item, stopped: stopped.signal });
    sending--;
    if (result === null) {
      health.pause(AGAIN_MS);
      queue.putBack(item);
      pump();
      return;
    }
    if (stopped.signal.aborted) return;
    const answersAgain = health.note(result);
    if (result.attempt.error === null) queue.letNext(item);
    const recording = outcomes.record(item, result);
    pump();
    await recording;
    if (result.ends === 'endpoint') options.onGone();
    if (isClosed) return queue.clear();
    if (answersAgain) {
      queue.tryAll();
      await adoption.adoptAll();
    }
    pump();
  };

  const readMore = async (): Promise<void> => {
    try {
      // A replayed event that waits for its next attempt is tried then.
      for (const item of (await intake.read()).map(toItem)) if (!queue.add(item)) intake.drop(item.event.position);
    } catch (error) {
      onTrouble('events for a webhook endpoint could not be read', error);
      health.pause(AGAIN_MS);
    }
    pump();
  };

  const pump = (): void => {
    if (isClosed) return;
    const maySend = (): boolean => sending < health.atOnce() && sending + outcomes.unrecorded() < UNRECORDED_MAX;
    while (maySend() && queue.hasNext(health.isPaused())) running.track(send(queue.take()!));
    if (health.isPaused()) health.whenOver(pump);
    else if (queue.isEmpty() && queue.waiting() < WAITING_MAX && intake.hasMore()) running.track(readMore());
    else if (sending + outcomes.unrecorded() === 0 && queue.isEmpty() && intake.isFull() && queue.letHeldGo()) pump();
  };

  return {
    endpointId,
    wake: pump,
    /** Events after it are still needed. */
    position: intake.position,
    /** Deliveries that wait for their next attempt, or that a request wants to be tried again. */
    async adopt(read: () => Promise<readonly PendingDelivery[]>): Promise<void> {
      await adoption.adopt(read);
      pump();
    },
    /** Sends nothing more. Resolves when what was on its way has ended and is recorded. */
    async close(): Promise<void> {
      isClosed = true;
      queue.clear();
      health.close();
      await within(running.allEnded(), { ms: STOP_WAIT_MS, late: () => stopped.abort() });
      await running.allEnded();
      intake.close();
    },
  };
};
