// Makes a correction on the page of a record, as an operator does: the kind, the reason, the figures before and after, and the confirmation.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { goTo } from './browser-fixture.ts';

type Wanted = {
  /** The name of the kind, as the dialog shows it. */
  readonly kind: string;
  readonly amount?: string;
  /** Rows of the table of figures: name, before, after. */
  readonly figures: readonly (readonly [name: string, before: string, after: string])[];
};

export const REASON = 'Agreed with both parties on the phone.';

/** Opens the dialog, fills it in and continues to the preview. */
export const fillCorrection = async (page: Page, { kind, amount }: Omit<Wanted, 'figures'>): Promise<Locator> => {
  await page.getByRole('button', { name: 'Correct…' }).click();
  const form = page.getByRole('dialog');
  const choice = form.getByLabel('Correction');
  if (await choice.count()) await choice.selectOption(kind);
  await form.getByText('The audit trail keeps it.').waitFor();
  if (amount) await form.getByLabel('Amount').fill(amount);
  await form.getByLabel('Reason').fill(REASON);
  await form.getByRole('button', { name: 'Continue' }).click();
  return page.getByRole('alertdialog');
};

/** The whole correction, up to its line in the panel of corrections. */
export const correctOnPage = async (page: Page, wanted: Wanted): Promise<void> => {
  const sure = await fillCorrection(page, wanted);
  const figures = sure.getByRole('table', { name: 'Before and after the correction' });
  await figures.waitFor();
  for (const cells of wanted.figures) {
    const row = figures.getByRole('row', { name: new RegExp(`^${cells[0]} `) });
    assert.deepEqual(await row.locator('th, td').allTextContents(), [...cells]);
  }
  await sure.getByRole('button', { name: wanted.kind }).click();
  const panel = page.getByRole('region', { name: 'Corrections' });
  await panel.getByText(wanted.kind).first().click();
  await panel.getByText(REASON).first().waitFor();
};

/** Opens the page of a record and waits until it shows the record, and not the one before. */
export const openRecord = async (page: Page, place: string): Promise<void> => {
  await goTo(page, place);
  const id = new URL(place, 'http://console').pathname.split('/').at(-1)!;
  await page.locator('.page-header').getByText(id).waitFor();
};
