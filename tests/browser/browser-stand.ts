// A real browser before a real server and its sandbox. Each test has a marketplace of its own in the server of its process,
// or a server and a database of its own where it does something to those; each page has a clean profile. Whatever the page
// complains about in its console fails the test.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { afterwards } from '../support/afterwards.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { giveBack, newWindow, takeWindow } from './shared.ts';

export const ARTEFACTS = path.resolve(import.meta.dirname, '../../test-artefacts');

export const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 390, height: 844 };
const FITS_WITHIN_MS = 10_000;

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

export const openStand = async (t: TestContext): Promise<BrowserStand> =>
  standBefore(t, await openApp(t, { sandbox: true }));

/** With a server, a sandbox and a database that no other test sees. */
export const openOwnStand = async (t: TestContext, env: Record<string, string> = {}): Promise<OwnStand> => {
  const app = await startApp(t, { sandbox: true, env });
  return {
    ...standBefore(t, app),
    async takeAway() {
      await app.close();
      const { port } = new URL(app.url);
      return () => startApp(t, { sandbox: true, env: { ...env, PORT: port }, connection: app.connection });
    },
  };
};

const standBefore = (t: TestContext, app: TestApp): BrowserStand => {
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

/** A half-drawn page would be judged by what nobody sees for long. */
const drawn = (page: Page): Promise<void> => page.locator('.skeleton').first().waitFor({ state: 'detached' });

/**
 * Nothing serious or critical by axe-core, in what is shown now. Where only the colours have changed since the last look,
 * only the rules about colours can find more.
 */
export const assertAccessible = async (page: Page, { coloursOnly = false } = {}): Promise<void> => {
  await drawn(page);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${await axeSource()}; null`);
  const told = await page.evaluate<string[]>(`(${judge})(${coloursOnly})`);
  assert.deepEqual(told, []);
};

/** Runs in the page, without the rules that find nothing serious: each rule has one impact for all that it finds. */
const judge = `async (coloursOnly) => {
  const isWanted = ({ id, impact }) =>
    coloursOnly ? ['color-contrast', 'link-in-text-block'].includes(id) : ['serious', 'critical'].includes(impact);
  const unwanted = axe._audit.rules.filter((rule) => !isWanted(rule));
  const rules = Object.fromEntries(unwanted.map(({ id }) => [id, { enabled: false }]));
  const { violations } = await axe.run(document, { rules, resultTypes: ['violations'] });
  return violations.map(({ id, nodes }) =>
    id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' '));
}`;

/** Kept for people to look at; see test-artefacts. */
export const picture = async (page: Page, name: string): Promise<void> => {
  mkdirSync(ARTEFACTS, { recursive: true });
  await page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`), animations: 'disabled' });
};

const FITS = 'document.documentElement.scrollWidth <= window.innerWidth';

/** No page is wider than its window: nobody scrolls sideways on a phone. A chart hears of a new width a frame later. */
export const assertFits = async (page: Page): Promise<void> => {
  await drawn(page);
  const comes = await page.waitForFunction(FITS, undefined, { timeout: FITS_WITHIN_MS }).catch(() => null);
  if (comes) return;
  const wide = await page.evaluate<string[]>(
    `[...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > window.innerWidth + 0.5)
      .map((each) => each.outerHTML.slice(0, 120))`,
  );
  assert.fail(`wider than the window: ${wide.join('\n')}`);
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
