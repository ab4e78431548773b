// Checks a state of the console for the long tests: a dialog, an error, a page during an operation.

import type { Page } from 'playwright-core';
import { NARROW, setView, WIDE } from './browser-fixture.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

export const VIEWS = [
  { name: 'narrow-light', size: NARROW, scheme: 'light' },
  { name: 'narrow-dark', size: NARROW, scheme: 'dark' },
  { name: 'wide-light', size: WIDE, scheme: 'light' },
  { name: 'wide-dark', size: WIDE, scheme: 'dark' },
] as const;

/** The page fits and is accessible at both widths and in both colour schemes. Takes a screenshot of each. */
export const checkState = async (page: Page, name: string): Promise<void> => {
  for (const { name: seen, size, scheme } of VIEWS) {
    await setView(page, { size, scheme });
    await assertFits(page);
    await assertAccessible(page, { coloursOnly: scheme === 'dark' });
    await picture(page, `${name}-${seen}`);
  }
  await setView(page, { size: WIDE, scheme: 'light' });
};
