// The first visit with an empty cache: the bytes and requests before the first page is usable. The time is printed but
// not checked, because it depends on the machine.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../support/browser-fixture.ts';

const BUDGET = path.resolve(import.meta.dirname, '../../../console/budget.json');
const KIB = 1_024;
/**
 * What the first page adds to the first load: its own chunks, and the headers of all answers. The chunks of the other panels with
 * their charts (about 24 KiB) and the search (5 KiB) may arrive before the proof, which waits for neither.
 */
const FIRST_PAGE_KIB = 42;
/** Page, entry, its shared chunks, styles, the chunks of the first page, and the search. */
const FILES_MAX = 24;
/** The key, the settings, the stream, the proof, the other panels of the page, and the last events, which take two. */
const ANSWERS_MAX = 12;

type Load = { readonly url: string; bytes: number };

/** All requests of the page from now on, with their size on the wire. */
const watchLoads = async (page: Page): Promise<Map<string, Load>> => {
  const loads = new Map<string, Load>();
  const wire = await page.context().newCDPSession(page);
  wire.on('Network.requestWillBeSent', ({ requestId, request }) =>
    loads.set(requestId, { url: request.url, bytes: 0 }),
  );
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = loads.get(requestId);
    if (load) load.bytes = encodedDataLength;
  });
  await wire.send('Network.enable');
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
  return loads;
};

test('a cold first page needs few requests and few bytes before it shows the proof', async (t) => {
  const fixture = await openBrowser(t);
  await fixture.app.aUser({ available: '1250.00' });
  const key = await fixture.app.key(['*']);
  const page = await fixture.open('/', { key: null, isCold: true });
  // Its last files would otherwise count as files of the second visit.
  await page.waitForLoadState('networkidle');
  const credentials = JSON.stringify(JSON.stringify({ apiKey: key }));
  await page.addInitScript(`sessionStorage.setItem('holdfast.credentials', ${credentials})`);
  const loads = await watchLoads(page);
  const startedMs = performance.now();
  await page.goto(`${fixture.app.url}/console`);
  await page.getByText('Balanced: every cent is accounted for').waitFor();
  const tookMs = performance.now() - startedMs;
  const all = [...loads.values()];

  const files = all.filter(({ url }) => url.includes('/console'));
  const answers = all.filter(({ url }) => url.includes('/api/'));
  const bytes = files.reduce((sum, load) => sum + load.bytes, 0);
  t.diagnostic(
    `cold load: the proof after ${tookMs.toFixed(0)} ms, ${files.length} files of ${Math.ceil(bytes / KIB)} KiB, ` +
      `${answers.length} answers`,
  );
  const { firstLoadGzipKiB } = JSON.parse(await readFile(BUDGET, 'utf8')) as { firstLoadGzipKiB: number };
  assert.ok(bytes > 50 * KIB, `the bytes were counted: ${bytes}`);
  assert.ok(bytes <= (firstLoadGzipKiB + FIRST_PAGE_KIB) * KIB, `${bytes} bytes`);
  assert.ok(files.length <= FILES_MAX, files.map(({ url }) => url).join('\n'));
  assert.ok(answers.length <= ANSWERS_MAX, answers.map(({ url }) => url).join('\n'));
  const strangers = all.filter(({ url }) => !url.startsWith(fixture.app.url));
  assert.deepEqual(strangers, [], 'nothing comes from elsewhere');
});
