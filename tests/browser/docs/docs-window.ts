// A window with the documentation of a server without a database. A message in the browser's console, or a request to another host, fails
// the test.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { afterwards, type Hooks } from '../../../tools/test-database/afterwards.ts';
import { openServer } from '../../http/server-fixture.ts';
import { setView, WIDE } from '../support/browser-fixture.ts';
import { newWindow } from '../support/shared-browser.ts';

type Visit = {
  readonly size?: { width: number; height: number };
  readonly scheme?: 'light' | 'dark';
  /** Messages of the browser that the test expects. */
  readonly expected?: RegExp;
};

type Docs = {
  readonly url: string;
  open(place: string, visit?: Visit): Promise<Page>;
};

export const openDocs = async (t: Hooks): Promise<Docs> => {
  const server = await openServer({ rateLimit: { max: 100_000, windowMs: 60_000 } });
  afterwards(t, () => server.app.close());
  return {
    url: server.url,
    async open(place, { size = WIDE, scheme = 'light', expected } = {}) {
      const page = await newWindow();
      const trouble: string[] = [];
      page.on('pageerror', (error) => trouble.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text()))
          trouble.push(message.text());
      });
      page.on('response', (response) => {
        if (response.status() >= 400 && expected === undefined) trouble.push(`${response.status()} ${response.url()}`);
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) trouble.push(request.url());
      });
      afterwards(t, async () => {
        await page.context().close();
        assert.deepEqual(trouble, []);
      });
      await setView(page, { size, scheme });
      await page.goto(server.url + place);
      return page;
    },
  };
};
