// Loaded into a process ahead of its own program (`node --import`): says how the process is whenever its parent asks, and
// collects garbage first when it is told to. Ends the process when the parent is gone, so that nothing is left behind.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export type ProcessMetrics = {
  readonly rss: number;
  readonly heapUsed: number;
  /** After a full garbage collection; null where none was requested. */
  readonly heapLive: number | null;
  readonly external: number;
  /** Likewise after a collection. */
  readonly externalLive: number | null;
  readonly arrayBuffers: number;
  /** Since the last time it was asked. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  /** User and system time since the process began. */
  readonly cpuMs: number;
  /** What the event loop waits for, by kind. */
  readonly handles: Readonly<Record<string, number>>;
};

export type MetricsRequest = { readonly collect: boolean };

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

const collect = (): void => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
};

const handlesNow = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

const look = ({ collect: isCollecting }: MetricsRequest): ProcessMetrics => {
  const delayP99Ms = delay.percentile(99) / 1e6;
  const delayMaxMs = delay.max / 1e6;
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  if (isCollecting) collect();
  // The collection stops everything for a moment: that is ours and not the program's.
  delay.reset();
  const live = isCollecting ? process.memoryUsage() : null;
  const { user, system } = process.cpuUsage();
  return {
    rss,
    heapUsed,
    external,
    arrayBuffers,
    delayP99Ms,
    delayMaxMs,
    heapLive: live?.heapUsed ?? null,
    externalLive: live?.external ?? null,
    cpuMs: (user + system) / 1_000,
    handles: handlesNow(),
  };
};

process.on('message', (question: MetricsRequest) => process.send?.(look(question)));
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// A program that has nothing left to do must still end.
process.channel?.unref();
