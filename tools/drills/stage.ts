// Where a drill is played: folders and processes that are gone afterwards, and what was found out on the way. A finding is
// a promise and whether it held; a drill that found nothing has proved nothing.

import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { orInterrupted } from '../../server/src/programs/interruption.ts';
import type { Finding } from '../../server/src/programs/script-command.ts';
import { until as untilWithin } from '../until.ts';

export type Stage = {
  /** A data folder of its own. Other accounts may walk through it: PostgreSQL runs as one of them. */
  folder(): Promise<string>;
  say(line: string): void;
  found(promise: string, seen: { holds: boolean; detail: string }): void;
  /** Last thing first. */
  afterwards(putAway: () => unknown): void;
};

export type Drill = {
  readonly name: string;
  readonly about: string;
  /** `seconds`: how long the trouble lasts, or how long the load runs before it begins. */
  play(stage: Stage, options: { seconds: number }): Promise<void>;
  /** When nothing else is asked for. */
  readonly seconds: number;
};

/** Why this machine does not allow a drill: nothing was proved by it, and nothing found wanting. */
export const notPlayed = (why: string, cause: unknown): Error =>
  Object.assign(new Error(why, { cause }), { isNotPlayed: true });

export const isNotPlayed = (error: unknown): error is Error =>
  error instanceof Error && 'isNotPlayed' in error && error.isNotPlayed === true;

export const playDrill = async (
  drill: Drill,
  options: { seconds?: number; say(line: string): void; signal?: AbortSignal },
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  await using cleanUp = new AsyncDisposableStack();
  const stage: Stage = {
    say: options.say,
    found: (promise, seen) => void findings.push({ promise, ...seen }),
    afterwards: (putAway) =>
      cleanUp.defer(async () => {
        await putAway();
      }),
    async folder() {
      const folder = await mkdtemp(path.join(await realpath(os.tmpdir()), 'holdfast-drill-'));
      await chmod(folder, 0o711);
      cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
      return folder;
    },
  };
  // An interrupted drill still removes its folders and stops its programs.
  const played = drill.play(stage, { seconds: options.seconds ?? drill.seconds });
  await orInterrupted(played, options.signal);
  if (findings.length === 0) throw new Error(`${drill.name} found nothing out`);
  return findings;
};

const DEADLINE_MS = 120_000;

/** A drill waits longer than a test: whole servers start in it. */
export const until = (holds: () => boolean | Promise<boolean>, what: string): Promise<void> =>
  untilWithin(holds, { what, deadlineMs: DEADLINE_MS });

export const forSeconds = (seconds: number): Promise<void> => pause(seconds * 1_000);
