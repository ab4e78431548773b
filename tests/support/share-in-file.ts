// A resource that all tests of one file share: opened before the first test, closed after the last.

import { after, before } from 'node:test';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { atTheEnd } from '../../tools/test-database/at-the-end.ts';

// A file that `node --test` runs alone closes everything in one hook, so that the database goes last.
const isAlone = process.env.TEST_FILE_TIMEOUT_MS === undefined;

export const shareInFile = <Shared>(open: (t: Hooks) => Promise<Shared>): (() => Shared) => {
  const closing: (() => Promise<void>)[] = [];
  let shared: { readonly value: Shared } | null = null;
  before(async () => {
    shared = { value: await open({ after: (hook) => void closing.push(hook) }) };
  });
  (isAlone ? atTheEnd : after)(async () => {
    for (const close of closing.toReversed()) await close();
  });
  return () => {
    if (!shared) throw new Error('The shared resource is opened before the first test, not while the file is loaded.');
    return shared.value;
  };
};
