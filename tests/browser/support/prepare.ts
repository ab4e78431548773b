// Prepares the browser tests: finds a Chromium and builds the console from the current sources.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findChromium, thisMachine } from './find-chromium.ts';
import type { Chromium } from './packaged-chromium.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export const BROWSER_TESTS = 'tests/browser/';

export type Prepared =
  | { readonly ok: true; readonly browser: Chromium }
  | { readonly ok: false; readonly reason: string };

export const prepareBrowser = async (): Promise<Prepared> => {
  const found = await findChromium(thisMachine());
  if (!found.ok) return found;
  const built = spawnSync(process.execPath, ['console/build.ts', '--when-stale'], { cwd: ROOT, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`The console could not be built:\n${built.stdout}${built.stderr}`);
  process.stdout.write(built.stdout);
  const { executable, env } = found.chromium;
  return { ok: true, browser: { executable: withFolder(executable), env } };
};

/** Playwright does not search PATH: it needs the path of a file. */
const withFolder = (executable: string): string => {
  if (executable.includes('/')) return executable;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const files = folders.map((folder) => path.join(folder, executable));
  return files.find((file) => existsSync(file)) ?? executable;
};
