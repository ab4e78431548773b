// Checks of every page in the browser: accessible, and no wider than the window.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { NARROW, setView, WIDE } from './browser-fixture.ts';

export const ARTEFACTS = path.resolve(import.meta.dirname, '../../../test-artefacts');

const FITS_WITHIN_MS = 10_000;
const NAMED_MAX = 10;

/** Waits until the page has loaded, so that placeholders are not checked. */
const drawn = (page: Page): Promise<void> => page.locator('.skeleton').first().waitFor({ state: 'detached' });

/**
 * No serious or critical violation by axe-core. After a change of the colour scheme only the rules about colours can find more. A run
 * takes 0.5 s of CPU, and 0.3 s more in a new document. `within` chooses a part of the page.
 */
export const assertAccessible = async (
  page: Page,
  { coloursOnly = false, within = 'html' }: { coloursOnly?: boolean; within?: string } = {},
): Promise<void> => {
  await drawn(page);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${await axeSource()}; null`);
  const violations = await page.evaluate<string[]>(`(${judge})(${coloursOnly}, ${JSON.stringify(within)})`);
  assert.deepEqual(violations, []);
};

/** Runs in the page, without the rules of minor impact: each rule has one impact. */
const judge = `async (coloursOnly, within) => {
  const isWanted = ({ id, impact }) =>
    coloursOnly ? ['color-contrast', 'link-in-text-block'].includes(id) : ['serious', 'critical'].includes(impact);
  const unwanted = axe._audit.rules.filter((rule) => !isWanted(rule));
  const rules = Object.fromEntries(unwanted.map(({ id }) => [id, { enabled: false }]));
  const { violations } = await axe.run(document.querySelector(within), { rules, resultTypes: ['violations'] });
  return violations.map(({ id, nodes }) =>
    id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' '));
}`;

let axe: Promise<string> | null = null;

const axeSource = (): Promise<string> => {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axe;
};

const FITS = 'document.documentElement.scrollWidth <= window.innerWidth';

/** The page does not scroll sideways. A chart adapts to a new width one frame later. */
export const assertFits = async (page: Page): Promise<void> => {
  await drawn(page);
  const comes = await page.waitForFunction(FITS, undefined, { timeout: FITS_WITHIN_MS }).catch(() => null);
  if (comes) return;
  const wide = await page.evaluate<string[]>(
    `[...document.querySelectorAll('body *')]
      .filter((each) => !each.closest('.hidden-text') && each.getBoundingClientRect().right > window.innerWidth + 0.5)
      .map((each) => each.outerHTML.slice(0, 120))`,
  );
  const widths = await page.evaluate('document.documentElement.scrollWidth + " of " + window.innerWidth');
  assert.fail(`wider than the window, ${widths} pixels: ${wide.slice(0, NAMED_MAX).join('\n')}`);
};

/** A screenshot for review in test-artefacts. Only the long tests take them. */
export const picture = async (page: Page, name: string): Promise<void> => {
  mkdirSync(ARTEFACTS, { recursive: true });
  await page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`), animations: 'disabled' });
};

/** The page fits and is accessible at 390 pixels in dark and at 1280 pixels in light. The second view stays set. */
export const assertGoodInBothViews = async (page: Page): Promise<void> => {
  await setView(page, { size: NARROW, scheme: 'dark' });
  await assertFits(page);
  await assertAccessible(page, { coloursOnly: true });
  await setView(page, { size: WIDE, scheme: 'light' });
  await assertFits(page);
  await assertAccessible(page);
};
