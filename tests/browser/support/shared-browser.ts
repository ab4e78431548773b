// The browser and its reused windows, which the tests of one process share because starting them costs more than most
// tests.

import { type Browser, chromium, type Page } from 'playwright-core';
import { atTheEnd } from '../../../tools/test-database/at-the-end.ts';
import type { Chromium } from './packaged-chromium.ts';

const WAIT_MS = 60_000;

const FLAGS = [
  '--disable-gpu',
  '--font-render-hinting=none',
  // No page runs long enough for optimised code to pay off: a tenth less CPU without it.
  '--js-flags=--no-opt --no-maglev',
];

const idle: Page[] = [];
let browser: Promise<Browser> | null = null;
const startBrowser = async (): Promise<Browser> => {
  const { TEST_BROWSER } = process.env;
  if (!TEST_BROWSER) throw new Error('Run browser tests with `node tests/run.ts tests/browser`.');
  const { executable, env } = JSON.parse(TEST_BROWSER) as Chromium;
  const started = await chromium.launch({
    executablePath: executable,
    env: { ...(process.env as Record<string, string>), ...env },
    chromiumSandbox: false,
    args: FLAGS,
  });
  atTheEnd(() => started.close());
  return started;
};

/** A window with its own profile. Reduced motion, because animations are drawn sixty times a second. */
export const newWindow = async (): Promise<Page> => {
  browser ??= startBrowser();
  const context = await (await browser).newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  context.setDefaultTimeout(WAIT_MS);
  return context.newPage();
};

/** A used window if there is one: it has the code of the console in its cache and opens a page with half of the CPU. */
export const takeWindow = async (): Promise<Page> => idle.pop() ?? newWindow();

/** Resets a window except for the cache of the console's files. A window that cannot be reset is closed. */
export const returnWindow = async (page: Page): Promise<void> => {
  const context = page.context();
  for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event);
  try {
    await page.evaluate('sessionStorage.clear(); localStorage.clear()');
    // A missing file of the same server: for an empty page the browser would start a new process.
    await page.goto(new URL('/console/parked.txt', page.url()).href);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await context.clearPermissions();
    await context.clearCookies();
    idle.push(page);
  } catch {
    await context.close();
  }
};
