// How the long tests look at a state of the console: a dialog, a refusal, a page in the middle of something.

import type { Page } from 'playwright-core';
import { look, NARROW, WIDE } from './browser-stand.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

export const LOOKS = [
  { name: 'narrow-light', size: NARROW, scheme: 'light' },
  { name: 'narrow-dark', size: NARROW, scheme: 'dark' },
  { name: 'wide-light', size: WIDE, scheme: 'light' },
  { name: 'wide-dark', size: WIDE, scheme: 'dark' },
] as const;

/** What is shown now fits and is accessible, at both widths and in both colours; a picture of each is kept. */
export const judgeState = async (page: Page, name: string): Promise<void> => {
  for (const { name: seen, size, scheme } of LOOKS) {
    await look(page, { size, scheme });
    await assertFits(page);
    await assertAccessible(page, { coloursOnly: scheme === 'dark' });
    await picture(page, `${name}-${seen}`);
  }
  await look(page, { size: WIDE, scheme: 'light' });
};
