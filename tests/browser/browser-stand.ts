// A real browser before a real server and its sandbox: a browser and a database for each test, a fresh profile for each
// page. Whatever the page complains about in its console fails the test.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterwards } from '../support/afterwards.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { PreparedBrowser } from './prepare.ts';

export const ARTEFACTS = path.resolve(import.meta.dirname, '../../test-artefacts');

const WAIT_MS = 20_000;
const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 390, height: 844 };

export type Visit = {
  /** The key to sign in with; null stays at the sign-in page. */
  readonly key?: string | null;
  readonly size?: { width: number; height: number };
  readonly scheme?: 'light' | 'dark';
  /** What the page may complain about, where the test breaks something under it. */
  readonly complaints?: RegExp;
};

export type BrowserStand = {
  readonly app: TestApp;
  /** Opens `/orders` of the console and signs in, with every scope unless another key is given. */
  open(place: string, visit?: Visit): Promise<Page>;
  /** Takes the server away; the function that comes back starts it again, at the same address with the same books. */
  takeAway(): Promise<() => Promise<TestApp>>;
};

/** A tenth of a second, so each test has its own: no test can close it under another. */
const startBrowser = (): Promise<Browser> => {
  const { TEST_BROWSER } = process.env;
  if (!TEST_BROWSER) throw new Error('Run browser tests with `node tests/run.ts tests/browser`.');
  const { executable, env } = JSON.parse(TEST_BROWSER) as PreparedBrowser;
  return chromium.launch({
    executablePath: executable,
    env: { ...(process.env as Record<string, string>), ...env },
    chromiumSandbox: false,
    args: ['--disable-gpu', '--font-render-hinting=none'],
  });
};

export const openStand = async (t: TestContext, env: Record<string, string> = {}): Promise<BrowserStand> => {
  const app = await startApp(t, { sandbox: true, env });
  const browser = await startBrowser();
  afterwards(t, () => browser.close());
  let everything: string | null = null;

  return {
    app,
    async open(place, { key, size = WIDE, scheme = 'light', complaints: expected } = {}) {
      const context = await browser.newContext({ viewport: size, colorScheme: scheme, locale: 'en-GB' });
      context.setDefaultTimeout(WAIT_MS);
      const page = await context.newPage();
      const complaints = listenTo(page);
      afterwards(t, async () => {
        await context.close();
        assert.deepEqual(
          complaints.filter((each) => !expected?.test(each)),
          [],
          'the page complained',
        );
      });
      await page.goto(`${app.url}/console${place}`);
      if (key === null) return page;
      everything ??= await app.key(['*']);
      await signIn(page, key ?? everything);
      return page;
    },
    async takeAway() {
      await app.close();
      const { port } = new URL(app.url);
      return () => startApp(t, { sandbox: true, env: { ...env, PORT: port }, connection: app.connection });
    },
  };
};

/** Types the key in as a person would, and waits for the page behind the door. */
export const signIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key or token').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#main h1').waitFor();
};

/** Nothing serious or critical by axe-core, in what is shown now. */
export const assertAccessible = async (page: Page): Promise<void> => {
  const source = await axeSource();
  // A half-drawn page would be judged by what nobody sees for long.
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  const found = await page.evaluate<
    { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  >(
    `${source}; axe.run(document, { resultTypes: ['violations'] }).then((result) => JSON.parse(JSON.stringify(result.violations)))`,
  );
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html}\n${node.failureSummary}`).join('\n')}`,
  );
  assert.deepEqual(told, []);
};

/** Kept for people to look at; see test-artefacts. */
export const picture = async (page: Page, name: string): Promise<void> => {
  mkdirSync(ARTEFACTS, { recursive: true });
  await page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`), animations: 'disabled' });
};

/** No page is wider than its window: nobody scrolls sideways on a phone. */
export const assertFits = async (page: Page): Promise<void> => {
  const wide = await page.evaluate<string[]>(
    `document.documentElement.scrollWidth <= window.innerWidth ? [] : [...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > window.innerWidth + 0.5)
      .map((each) => each.outerHTML.slice(0, 120))`,
  );
  assert.deepEqual(wide, [], 'wider than the window');
};

let axe: Promise<string> | null = null;

const axeSource = (): Promise<string> => {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axe;
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
