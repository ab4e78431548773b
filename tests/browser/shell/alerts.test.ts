// The Alerts button of the shell: its count, the list with links, and the ends, on a wide and a narrow screen in both themes.

import { test } from 'node:test';
import { fromUnits, ZERO } from '../../../server/src/books/money.ts';
import { closeAlerts, openAlerts } from '../../../server/src/modules/alerts/change-alerts.ts';
import { createBreaks } from '../../../server/src/modules/reconciliation/breaks.ts';
import { openFixture } from '../../commit/fixture.ts';
import { NARROW, openBrowser } from '../support/browser-fixture.ts';
import { assertAccessible, assertFits } from '../support/page-checks.ts';

for (const scheme of ['light', 'dark'] as const) {
  test(`open alerts are counted and listed with links, and their ends too (${scheme})`, async (t) => {
    const { app, open } = await openBrowser(t);
    const { submit, pool } = await openFixture(t, { connection: app.connection, marketplaceId: app.marketplaceId });
    // A condition of its own, so that the job of the server neither closes the alert nor opens another one.
    const breaks = createBreaks(pool);
    const seen = { marketplaceId: app.marketplaceId, kind: 'late-topup', subject: `top_${scheme}` } as const;
    await breaks.see({ ...seen, expected: ZERO, actual: fromUnits(5n) });
    const subject = `${seen.kind}:${seen.subject}`;
    const condition = { subject, message: 'The books and an outside system differ <b>here</b>.', since: null };
    await submit(openAlerts, { kind: 'BREAK', conditions: [condition], mail: 'NONE' });
    const page = await open('/users', { scheme });
    await page.setViewportSize(NARROW);
    await page.getByRole('button', { name: 'Alerts: 1 open' }).click();
    const list = page.getByRole('dialog', { name: 'Alerts' });
    const shown = list.getByRole('region', { name: 'Open alerts' });
    await shown.getByText('The books and an outside system differ <b>here</b>.').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await shown.getByRole('link', { name: 'Reconciliation break' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reconciliation' }).waitFor();
    await breaks.resolve(seen);
    const { rows } = await pool.query('select id from alerts where subject = $1', [subject]);
    await submit(closeAlerts, { kind: 'BREAK', ids: rows.map(({ id }) => id), mail: 'NONE' });
    // The count is older than the end of the alert. The list is not.
    await page.getByRole('button', { name: 'Alerts: 1 open' }).click();
    await list.getByText('No alert is open.').waitFor();
    await list
      .getByRole('region', { name: 'Ended alerts' })
      .getByRole('link', { name: 'Reconciliation break' })
      .waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Alerts: none open' }).waitFor();
  });
}
