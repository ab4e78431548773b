// Builds the console when its sources have changed since the last build. The build runs in a process of its own at low priority, so
// that the API answers during the build. A failed build is logged and stops nothing.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '../../observability/logs.ts';
import type { ConsoleSite } from './site.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const SCRIPT = path.join(ROOT, 'console/build.ts');
const PRIORITY = 5;
const OUTPUT_MAX = 2_000;
/** The build prints this when it has something to do. */
const BEGUN = 'building it';

export const CONSOLE_FOLDER = path.join(ROOT, 'console/dist');

type Parts = { readonly site: ConsoleSite; readonly log: Log };

/** Starts the build at once. `stop` ends a build that is still running. */
export const buildConsole = ({ site, log }: Parts): { stop(): Promise<void> } => {
  if (!existsSync(SCRIPT)) return { stop: async () => {} };
  site.building(true);
  const child = spawn(process.execPath, [SCRIPT, '--when-stale'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) lowerPriority(child.pid);
  let output = '';
  const collect = (chunk: Buffer): void => {
    if (output === '' && chunk.toString().includes(BEGUN))
      log.info('the console is being built: its sources have changed');
    output = (output + chunk.toString()).slice(-OUTPUT_MAX);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      log.warn({ err: error }, 'the console could not be built; everything else works');
      resolve();
    });
    child.once('close', (code, signal) => {
      if (code === 0 && output.includes(BEGUN)) log.info({ build: lastLineOf(output) }, 'the console is ready');
      else if (code !== 0 && signal === null)
        log.warn({ output }, 'the console could not be built; everything else works');
      resolve();
    });
  }).then(() => site.building(false));
  return {
    async stop() {
      child.kill();
      await ended;
    },
  };
};

const lowerPriority = (pid: number): void => {
  try {
    os.setPriority(pid, PRIORITY);
  } catch {
    // The process has ended, or the system does not allow it. Then the build runs at normal priority.
  }
};

const lastLineOf = (text: string): string => text.trim().split('\n').at(-1) ?? '';
