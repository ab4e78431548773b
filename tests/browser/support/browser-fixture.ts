// The browser fixture: a real browser with a real server and its sandbox. Each file has its own marketplace in the
// server of its process, or its own server and database if it changes those. Each window has a clean profile. A message
// in the browser console fails the test.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { afterwards, type Hooks } from '../../../tools/test-database/afterwards.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { openApp } from '../../support/shared-app.ts';
import { newWindow, returnWindow, takeWindow } from './shared-browser.ts';

export const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 390, height: 844 };

type Visit = {
  /** The key to sign in with; null stays on the sign-in page. */
  readonly key?: string | null;
  readonly size?: { width: number; height: number };
  readonly scheme?: 'light' | 'dark';
  /** The console messages that the test expects. */
  readonly complaints?: RegExp;
  /** Uses a new profile with an empty cache. */
  readonly isCold?: boolean;
};

type BrowserFixture = {
  readonly app: TestApp;
  /** Opens `/orders` of the console and signs in, with every scope unless another key is given. */
  open(place: string, visit?: Visit): Promise<Page>;
};

type OwnBrowserFixture = BrowserFixture & {
  /** Stops the server. The returned function starts it again, at the same URL with the same database. */
  stopServer(): Promise<() => Promise<TestApp>>;
};

/** Without the sandbox users get no wallets, which saves time for many users. */
export const openBrowser = async (t: Hooks, { sandbox = true } = {}): Promise<BrowserFixture> =>
  fixtureFor(t, await openApp(t, { sandbox }));

/** With its own server, sandbox and database. */
export const openOwnBrowser = async (t: Hooks, env: Record<string, string> = {}): Promise<OwnBrowserFixture> => {
  const app = await startApp(t, { sandbox: true, env });
  let running = app;
  return {
    ...fixtureFor(t, app),
    async stopServer() {
      await running.close();
      const { port } = new URL(app.url);
      return async () => {
        running = await startApp(t, { sandbox: true, env: { ...env, PORT: port }, connection: app.connection });
        return running;
      };
    },
  };
};

/** With a server that the test has started. */
export const fixtureFor = (t: Hooks, app: TestApp): BrowserFixture => {
  let everything: string | null = null;
  return {
    app,
    async open(place, { key, size = WIDE, scheme = 'light', complaints: expected, isCold = false } = {}) {
      const page = await (isCold ? newWindow() : takeWindow());
      const complaints = listenTo(page);
      afterwards(t, async () => {
        await (isCold ? page.context().close() : returnWindow(page));
        assert.deepEqual(
          complaints.filter((each) => !expected?.test(each)),
          [],
          'the browser console has messages',
        );
      });
      await setView(page, { size, scheme });
      await page.goto(`${app.url}/console${place}`);
      if (key === null) return page;
      everything ??= await app.key(['*']);
      await signIn(page, key ?? everything);
      return page;
    },
  };
};

/** Sets the size of the window and the colour scheme. */
export const setView = async (
  page: Page,
  { size, scheme }: Required<Pick<Visit, 'size' | 'scheme'>>,
): Promise<void> => {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: scheme });
};

/** The field for a key on the sign-in page. A server with operators, whom any file of the process may have invited, offers it behind
 * a button. */
export const keyField = async (page: Page): Promise<Locator> => {
  const field = page.getByLabel('API key or token');
  const other = page.getByRole('button', { name: 'Use a key' });
  await field.or(other).waitFor();
  if (await other.isVisible()) await other.click();
  return field;
};

/** Types the key, signs in and waits for the page. */
export const signIn = async (page: Page, key: string): Promise<void> => {
  const field = await keyField(page);
  await field.fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#main h1').waitFor();
};

/** Signs out and in again with another key, on the same page. */
export const changeKey = async (page: Page, key: string): Promise<void> => {
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await signIn(page, key);
};

/** Opens another page of the console without a reload, as its own links do: 0.2 s of CPU instead of 0.7 s and a new sign-in.
 */
export const goTo = async (page: Page, place: string): Promise<void> => {
  const address = JSON.stringify(`/console${place}`);
  await page.evaluate(`history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate')); null`);
};

/** Messages about failed requests are expected in many tests; other messages are not. */
const REQUESTS = /Failed to load resource|net::ERR_/;

const listenTo = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !REQUESTS.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
};
