// What the tests of one process share is put away after the last of them, last thing first. A group of files loads this
// before the suite of its first file begins, so that the end is that of the process.

import { after } from 'node:test';

const everything = new AsyncDisposableStack();
after(() => everything.disposeAsync());

export const atTheEnd = (putAway: () => unknown): void => {
  everything.defer(async () => {
    await putAway();
  });
};

/** For whatever expects the hooks of a test. */
export const processHooks = { after: (hook: () => Promise<void>): void => atTheEnd(hook) };
