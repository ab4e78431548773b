// Collects what the senders of one marketplace have to record, and submits it in the order in which it arrived: one transaction at a time,
// with what has arrived while the last one was committed.

import { type BackOff, backOffMs, pause } from '../../../base/wait.ts';
import type { Progress, Recorded, Results, SentDelivery } from '../record-deliveries.ts';

type Options = {
  submit(results: Results): Promise<Recorded>;
  onTrouble(message: string, error: unknown): void;
};

/** A delivery, and how far its endpoint is once it and everything that was given before it are recorded. */
export type Entry = { readonly sent: SentDelivery | null; readonly progress: Progress };

type Waiting = { readonly entry: Entry; done(recorded: Recorded | null): void };

export type Recorder = {
  /** Null: it was not recorded, because this server no longer sends for the marketplace. */
  record(entry: Entry): Promise<Recorded | null>;
  /** What waits is recorded first. */
  close(): Promise<void>;
};

/** A transaction stays short. */
const BATCH_MAX = 100;
const BACK_OFF: BackOff = { firstMs: 100, maxMs: 5_000 };
/** While it closes. What is not recorded is sent again. */
const CLOSING_FAILURES_MAX = 3;

/** The last progress of each endpoint. */
const progressOf = (batch: readonly Waiting[]): Progress[] => {
  const last = new Map<string, Progress>();
  for (const { progress } of batch.map(({ entry }) => entry)) {
    const missed = last.get(progress.endpointId)?.missed ?? 0;
    last.set(progress.endpointId, { ...progress, missed: progress.missed + missed });
  }
  return [...last.values()];
};

export const createRecorder = ({ submit, onTrouble }: Options): Recorder => {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let failures = 0;
  let isClosing = false;

  const submitBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const sent = batch.flatMap(({ entry }) => entry.sent ?? []);
    try {
      const recorded = await submit({ sent, progress: progressOf(batch) });
      failures = 0;
      for (const { done } of batch) done(recorded);
    } catch (error) {
      failures++;
      onTrouble('webhook deliveries could not be recorded and are tried again', error);
      waiting = [...batch, ...waiting];
      await pause(backOffMs(BACK_OFF, failures));
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0 && !(isClosing && failures >= CLOSING_FAILURES_MAX)) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await submitBatch(batch);
    }
    for (const { done } of waiting) done(null);
    waiting = [];
    running = null;
  };

  return {
    record: (entry) =>
      new Promise((done) => {
        waiting.push({ entry, done });
        // In the next turn, so that results of one turn share a transaction.
        running ??= Promise.resolve().then(run);
      }),
    async close() {
      isClosing = true;
      await running;
    },
  };
};
