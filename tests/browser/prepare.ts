// What the browser tests need before the first of them runs: a Chromium, and the console built from its present sources.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findChromium, thisMachine } from './find-chromium.ts';
import type { Chromium } from './packaged-chromium.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

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
  return { ok: true, browser: found.chromium };
};
