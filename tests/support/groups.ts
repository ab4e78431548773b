// Several test files for one process: loading the server takes longer than most files test. Each stays a suite of its own,
// so its hooks concern nobody else.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

type Options = {
  readonly root: string;
  /** For what node's runner has to be given. */
  readonly folder: string;
  /** How many run at once. */
  readonly processes: number;
};

const FILES_MAX = 12;

/** Measured at more than twenty seconds each. They come first and alone, so that nobody waits for one at the end. */
const SLOW = [
  'tests/simulation/',
  'tests/operations/',
  'tests/tidy/tenancy-life',
  'tests/cli/docs',
  'tests/cli/dev',
  'tests/fuzz/',
  'tests/sdk/package',
  'tests/payments/withdrawal-crash',
  'tests/races/orders-many',
  'tests/custody/treasury',
  'tests/crash/order-',
  'tests/orders/faults-calls',
  'tests/orders/faults-ledger',
  'tests/payments/withdrawal-ledger-faults',
  'tests/payments/payout-faults',
  'tests/payments/restart',
  'tests/surface-b/escrow-release',
  'tests/crash/kill-',
  'tests/custody/restart',
  'tests/custody/escrow-faults',
];

/** What node's runner takes for these files. It goes by the names, so those say the order. */
export async function groupTests(files: readonly string[], options: Options): Promise<string[]> {
  if (files.length < 2) return [...files];
  const places = new Map(files.map((file) => [file, SLOW.findIndex((part) => file.startsWith(part))]));
  const isSlow = (file: string): boolean => places.get(file)! >= 0;
  const slow = files.filter(isSlow).toSorted((a, b) => places.get(a)! - places.get(b)!);
  const others = files.filter((file) => !isSlow(file));
  const groups = [...slow.map((file) => [file]), ...share(others, options.processes)];
  return Promise.all(
    groups.map((group, place) => writeGroup(group, { ...options, name: String(place + 1).padStart(3, '0') })),
  );
}

// Neighbours stay together. Few files are shared out all the same, or one process would do all the work.
function share(files: readonly string[], processes: number): string[][] {
  const shares = Math.max(Math.ceil(files.length / FILES_MAX), Math.min(files.length, processes));
  const borders = Array.from({ length: shares + 1 }, (_, place) => Math.round((place * files.length) / shares));
  return borders.slice(1).map((end, place) => files.slice(borders[place], end));
}

// One file after the other: a test belongs to the suite that imports it.
const HEAD = `import { describe } from 'node:test';
const suiteOf = (name, url) => new Promise((done) => void describe(name, () => import(url).finally(done)));
`;

async function writeGroup(files: readonly string[], { root, folder, name }: Options & { name: string }) {
  const lines = files.map((file) => {
    const url = pathToFileURL(path.join(root, file)).href;
    return `await suiteOf(${JSON.stringify(file)}, ${JSON.stringify(url)});\n`;
  });
  const written = path.join(folder, `${name}.test.mjs`);
  // What the tests of a process share is put away after all of them, so that is loaded outside the suite of the first.
  const end = `import ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'at-the-end.ts')).href)};\n`;
  await writeFile(written, [end, HEAD, ...lines].join(''));
  return written;
}
