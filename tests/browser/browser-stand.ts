// A real browser before a real server and its sandbox. Each file has a marketplace of its own in the server of its process,
// or a server and a database of its own where it does something to those; each window has a clean profile. Whatever the page
// complains about in its console fails the test.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { afterwards, type Hooks } from '../support/afterwards.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { giveBack, newWindow, takeWindow } from './shared.ts';

export const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 390, height: 844 };

export type Visit = {
  /** The key to sign in with; null stays at the sign-in page. */
  readonly key?: string | null;
  readonly size?: { width: number; height: number };
  readonly scheme?: 'light' | 'dark';
  /** What the page may complain about, where the test breaks something under it. */
  readonly complaints?: RegExp;
  /** A new profile, where it matters that no file of the console is in a cache. */
  readonly isCold?: boolean;
};

export type BrowserStand = {
  readonly app: TestApp;
  /** Opens `/orders` of the console and signs in, with every scope unless another key is given. */
  open(place: string, visit?: Visit): Promise<Page>;
};

type OwnStand = BrowserStand & {
  /** Takes the server away; the function that comes back starts it again, at the same address with the same books. */
  takeAway(): Promise<() => Promise<TestApp>>;
};

/** Without the sandbox users have no wallets, which many of them would take long to get. */
export const openStand = async (t: Hooks, { sandbox = true } = {}): Promise<BrowserStand> =>
  standBefore(t, await openApp(t, { sandbox }));

/** With a server, a sandbox and a database that no other test sees. */
export const openOwnStand = async (t: Hooks, env: Record<string, string> = {}): Promise<OwnStand> => {
  const app = await startApp(t, { sandbox: true, env });
  let running = app;
  return {
    ...standBefore(t, app),
    async takeAway() {
      await running.close();
      const { port } = new URL(app.url);
      return async () => {
        running = await startApp(t, { sandbox: true, env: { ...env, PORT: port }, connection: app.connection });
        return running;
      };
    },
  };
};

const standBefore = (t: Hooks, app: TestApp): BrowserStand => {
  let everything: string | null = null;
  return {
    app,
    async open(place, { key, size = WIDE, scheme = 'light', complaints: expected, isCold = false } = {}) {
      const page = await (isCold ? newWindow() : takeWindow());
      const complaints = listenTo(page);
      afterwards(t, async () => {
        await (isCold ? page.context().close() : giveBack(page));
        assert.deepEqual(
          complaints.filter((each) => !expected?.test(each)),
          [],
          'the page complained',
        );
      });
      await look(page, { size, scheme });
      await page.goto(`${app.url}/console${place}`);
      if (key === null) return page;
      everything ??= await app.key(['*']);
      await signIn(page, key ?? everything);
      return page;
    },
  };
};

/** At another width and in other colours, as if the window had always been like that. */
export const look = async (page: Page, { size, scheme }: Required<Pick<Visit, 'size' | 'scheme'>>): Promise<void> => {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: scheme });
};

/** Types the key in as a person would, and waits for the page behind the door. */
export const signIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key or token').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#main h1').waitFor();
};

/** Signs out, and in again with another key; the page stays. */
export const changeKey = async (page: Page, key: string): Promise<void> => {
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await signIn(page, key);
};

/**
 * Goes to another page of the console without loading the console anew, as its own links do: 0.2 s of CPU instead of 0.7 s
 * and a new sign-in.
 */
export const goTo = async (page: Page, place: string): Promise<void> => {
  const address = JSON.stringify(`/console${place}`);
  await page.evaluate(`history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate')); null`);
};

/** What the browser says about a request is part of many stories; what it says about the page never is. */
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
