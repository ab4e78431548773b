// What the tests of one process share is closed after the last of them, the last thing first. A worker of the test runner
// calls endOfProcess; a file that `node --test` runs alone has node's own hook instead.

import { after } from 'node:test';

const everything = new AsyncDisposableStack();
if (process.env.TEST_FILE_TIMEOUT_MS === undefined) after(() => everything.disposeAsync());

export const atTheEnd = (close: () => unknown): void => {
  everything.defer(async () => {
    await close();
  });
};

export const endOfProcess = (): Promise<void> => everything.disposeAsync();

/** For a function that expects the hooks of a test. */
export const processHooks = { after: (hook: () => Promise<void>): void => atTheEnd(hook) };
