// Filters of lists: ranges of local days in every time zone, and filters that a person saves, by keyboard and on a narrow screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  CREATED,
  daysOf,
  firstMoment,
  HAPPENED,
  lastMoment,
  shownDays,
} from '../../../console/src/parts/lists/ranges.ts';
import {
  NAME_MAX,
  nameProblem,
  parseSaved,
  SAVED_MAX,
  searchOf,
  withDefault,
  withSaved,
} from '../../../console/src/parts/lists/saved-filters.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, NARROW, openBrowser, setView, WIDE } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

/** Zones with and without summer time, with odd offsets, and with days whose midnight is skipped or happens twice. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
];

/** Node reads the zone again when it is set. */
const inZone = (zone: string, check: () => void): void => {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    check();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
};

/** The day of a moment, as the international calendar says and not the code under test. */
const dayIn = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

const days = fc
  .date({ min: new Date('1995-01-02T12:00:00Z'), max: new Date('2045-12-30T12:00:00Z'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));

/** Samoa went from the 29th to the 31st of December 2011. */
const exists = (zone: string, day: string): boolean => !(zone === 'Pacific/Apia' && day === '2011-12-30');

const assertDay = (zone: string, day: string): void => {
  const first = new Date(firstMoment(day, HAPPENED)!);
  const end = new Date(lastMoment(day)!);
  assert.equal(dayIn(zone, first), day);
  assert.ok(dayIn(zone, new Date(first.getTime() - 1)) < day);
  assert.equal(dayIn(zone, new Date(end.getTime() - 1)), day);
  assert.ok(dayIn(zone, end) > day);
  for (const bounds of [CREATED, HAPPENED]) {
    const values = { [bounds.after]: firstMoment(day, bounds)!, [bounds.before]: lastMoment(day)! };
    assert.deepEqual(shownDays(values, { bounds, now: new Date() }), { from: day, to: day });
  }
  // A route that excludes the first moment gets the microsecond before it.
  assert.equal(Date.parse(firstMoment(day, CREATED)!), first.getTime() - 1);
  assert.match(firstMoment(day, CREATED)!, /\.999999Z$/);
};

test('a day begins and ends at the moments of its zone, also where the clock is changed at midnight', () => {
  for (const zone of ZONES) {
    inZone(zone, () => {
      fc.assert(
        fc.property(days, (day) => {
          if (exists(zone, day)) assertDay(zone, day);
        }),
        { numRuns: 200 },
      );
    });
  }
});

test('the days on which clocks change are as long as they are', () => {
  const hours = (zone: string, day: string): number => {
    let found = 0;
    inZone(zone, () => {
      found = (Date.parse(lastMoment(day)!) - Date.parse(firstMoment(day, HAPPENED)!)) / 3_600_000;
    });
    return found;
  };
  assert.equal(hours('Europe/Berlin', '2026-03-29'), 23);
  assert.equal(hours('Europe/Berlin', '2026-10-25'), 25);
  assert.equal(hours('America/Havana', '2026-11-01'), 25);
  assert.equal(hours('America/Santiago', '2026-09-06'), 23);
  assert.equal(hours('Australia/Lord_Howe', '2026-04-05'), 24.5);
  assert.equal(hours('UTC', '2026-03-29'), 24);
});

test('ranges with a name are days of the calendar, and a half-typed year is no day', () => {
  for (const zone of ZONES) {
    inZone(zone, () => {
      const now = new Date(2026, 2, 1, 0, 30);
      assert.deepEqual(daysOf('today', now), { from: '2026-03-01', to: '2026-03-01' });
      assert.deepEqual(daysOf('yesterday', now), { from: '2026-02-28', to: '2026-02-28' });
      assert.deepEqual(daysOf('last-7-days', now), { from: '2026-02-23', to: '2026-03-01' });
      assert.deepEqual(daysOf('last-30-days', now), { from: '2026-01-31', to: '2026-03-01' });
      assert.deepEqual(daysOf('this-month', now), { from: '2026-03-01', to: '2026-03-01' });
      assert.deepEqual(daysOf('last-month', now), { from: '2026-02-01', to: '2026-02-28' });
      assert.equal(daysOf('ever', now), null);
    });
  }
  for (const typed of ['', '0002-01-01', '0202-01-01', '2026-1-1', 'today']) {
    assert.equal(firstMoment(typed, CREATED), null, typed);
    assert.equal(lastMoment(typed), null, typed);
  }
});

test('saved filters are bounded, replaced by name, and read from a damaged storage as none', () => {
  let saved = parseSaved(null);
  for (let at = 0; at < SAVED_MAX; at++) saved = withSaved(saved, { name: `filter ${at}`, search: `status=${at}` });
  assert.match(nameProblem('one more', saved)!, /at most 20/);
  assert.equal(nameProblem('filter 3', saved), null);
  assert.equal(withSaved(saved, { name: 'filter 3', search: 'q=x' }).length, SAVED_MAX);
  assert.match(nameProblem('x'.repeat(NAME_MAX + 1), [])!, /60 characters/);
  assert.match(nameProblem('', [])!, /Enter a name/);
  const withOne = withDefault(withDefault(saved, 'filter 1'), 'filter 2');
  assert.deepEqual(
    withOne.filter(({ isDefault }) => isDefault).map(({ name }) => name),
    ['filter 2'],
  );
  assert.equal(
    withDefault(withOne, 'filter 2').some(({ isDefault }) => isDefault),
    false,
  );
  for (const damaged of ['{', '{}', '7', '[1, null, {"name": 3}]', '[{"name":"","search":"","isDefault":true}]']) {
    assert.deepEqual(parseSaved(damaged), [], damaged);
  }
  assert.equal(searchOf({ b: '2', a: '1', c: '' }), 'a=1&b=2');
});

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t, { sandbox: false });
  for (const name of ['anna', 'ben']) {
    const { status, text } = await fixture.app.call('POST /users', { body: { externalUserId: name, type: 'SELLER' } });
    assert.equal(status, 201, text);
  }
  await fixture.app.call('POST /users', { body: { externalUserId: 'carla', type: 'BUYER' } });
  return { fixture, page: await fixture.open('/users') };
});

test('a filter is saved, applied, made the default and deleted, with the keyboard alone', async () => {
  const { page } = shared();
  await page.getByRole('row', { name: /carla/ }).waitFor();
  await page.getByLabel('Type').selectOption('SELLER');
  await page.getByRole('row', { name: /carla/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save filter…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Saved filters' });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name of the current filter').focus();
  await page.keyboard.type('Only sellers');
  await page.keyboard.press('Enter');
  const isDefault = dialog.getByRole('button', { name: 'Default: Only sellers' });
  await isDefault.focus();
  await page.keyboard.press('Enter');
  assert.equal(await isDefault.getAttribute('aria-pressed'), 'true');
  await assertGoodInBothViews(page);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('row', { name: /carla/ }).waitFor();
  await page.getByLabel('Saved filter').selectOption('Only sellers');
  await page.getByRole('row', { name: /carla/ }).waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).searchParams.get('type'), 'SELLER');

  // The page opened anew takes its default, and a link with a filter wins over it.
  await goTo(page, '/orders');
  await page.getByText('No orders yet').waitFor();
  assert.equal(await page.getByLabel('Saved filter').count(), 0);
  await goTo(page, '/users');
  await page.getByRole('row', { name: /anna/ }).waitFor();
  await page.getByRole('row', { name: /carla/ }).waitFor({ state: 'detached' });
  await goTo(page, '/orders');
  await page.getByText('No orders yet').waitFor();
  await goTo(page, '/users?type=BUYER');
  await page.getByRole('row', { name: /carla/ }).waitFor();
  assert.equal(await page.getByRole('row', { name: /anna/ }).count(), 0);

  await page.getByRole('button', { name: 'Saved filters…' }).click();
  await dialog.getByRole('button', { name: 'Delete Only sellers' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('list').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save filter…' }).waitFor();
});

test('a range of days shows the zone, is sent in UTC, and is folded away with the other filters on a narrow screen', async () => {
  const { page } = shared();
  await goTo(page, '/users');
  await page.getByRole('row', { name: /anna/ }).waitFor();
  const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
  const asked = page.waitForRequest((request) => /users\?.*createdAfter=/.test(request.url()));
  await page.getByLabel(`Created (${zone})`).selectOption('yesterday');
  const search = new URL((await asked).url()).searchParams;
  assert.match(search.get('createdAfter')!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.999999Z$/);
  assert.match(search.get('createdBefore')!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  await page.getByText('No matching users').waitFor();
  assert.notEqual(await page.getByLabel('Created from').inputValue(), '');
  await page.getByLabel('Created to').fill(await page.evaluate<string>('new Date().toLocaleDateString("en-CA")'));
  await page.getByRole('row', { name: /anna/ }).waitFor();
  assert.equal(await page.getByLabel(`Created (${zone})`).inputValue(), 'chosen');

  await setView(page, { size: NARROW, scheme: 'dark' });
  const toggle = page.getByRole('button', { name: 'Filters, 2 set' });
  await toggle.waitFor();
  assert.equal(await page.getByLabel('Created from').isVisible(), false);
  await toggle.focus();
  await page.keyboard.press('Enter');
  assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
  await page.getByLabel('Created from').waitFor();
  await setView(page, { size: WIDE, scheme: 'light' });
  await assertGoodInBothViews(page);
});
