// What the browser tests of one process share, because each of these costs more than most tests do: a browser, its used
// windows, and a server in which every test has a marketplace of its own. Closed when the last test has ended.

import { after, type TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.ts';
import type { PreparedBrowser } from './prepare.ts';

const WAIT_MS = 20_000;

const FLAGS = [
  '--disable-gpu',
  '--font-render-hinting=none',
  // No page lives long enough to win back what its optimised code takes to make: a tenth less CPU without.
  '--js-flags=--no-opt --no-maglev',
];

const closings: (() => unknown)[] = [];
const idle: Page[] = [];
let browser: Promise<Browser> | null = null;
let server: Promise<TestApp> | null = null;
let marketplaces = 0;

// At the level of the process: a group of files loads this before the suite of its first file begins.
after(async () => {
  for (const close of closings.reverse()) await close();
});

const startBrowser = async (): Promise<Browser> => {
  const { TEST_BROWSER } = process.env;
  if (!TEST_BROWSER) throw new Error('Run browser tests with `node tests/run.ts tests/browser`.');
  const { executable, env } = JSON.parse(TEST_BROWSER) as PreparedBrowser;
  const started = await chromium.launch({
    executablePath: executable,
    env: { ...(process.env as Record<string, string>), ...env },
    chromiumSandbox: false,
    args: FLAGS,
  });
  closings.push(() => started.close());
  return started;
};

/** A window of its own profile. Nothing moves in it: what turns and breathes is drawn sixty times a second. */
export const newWindow = async (): Promise<Page> => {
  browser ??= startBrowser();
  const context = await (await browser).newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  context.setDefaultTimeout(WAIT_MS);
  return context.newPage();
};

/** A used window where there is one: it has the console's code already, and opens a page with half of the CPU. */
export const takeWindow = async (): Promise<Page> => idle.pop() ?? newWindow();

/** Leaves nothing in a window but the cache of the console's files; one that cannot be cleaned is closed. */
export const giveBack = async (page: Page): Promise<void> => {
  const context = page.context();
  for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event);
  try {
    await page.evaluate('sessionStorage.clear(); localStorage.clear()');
    // A file that is not there, of the same server: for an empty page the browser would begin a new process.
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

/** The server of this process, seen from a marketplace that nobody else uses. */
export const openMarketplace = async (): Promise<TestApp> => {
  const hooks = { after: (close: () => unknown) => void closings.push(close) } as unknown as TestContext;
  server ??= startApp(hooks, { sandbox: true });
  const app = await server;
  const marketplaceId = `mkt_browser-${++marketplaces}`;
  let every: Promise<string> | null = null;
  const keyOr = async (given: string | null | undefined): Promise<string | null> => {
    if (given !== undefined) return given;
    every ??= app.key(['*'], marketplaceId);
    return every;
  };
  return {
    ...app,
    call: async (request, ask = {}) => app.call(request, { ...ask, key: await keyOr(ask.key) }),
    key: (scopes, wanted = marketplaceId) => app.key(scopes, wanted),
    user: async (ask = {}) => app.user({ ...ask, key: await keyOr(ask.key) }),
    close: () => Promise.reject(new Error('Others use this server too.')),
  };
};
