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

/** They wait more than they work: for a page, a process, a clock. At the end everybody else would wait for them. */
const WAITING = ['tests/browser/', 'tests/cli/', 'tests/sdk/', 'tests/security/', 'tests/stream/', 'tests/surface-b/'];

/** The shortest, so that the processes end together. */
const SHORT = ['tests/door/', 'tests/ground/', 'tests/keys/', 'tests/sandbox/', 'tests/tidy/'];

/** What node's runner takes for these files. It goes by the names, so those say the order. */
export async function groupTests(files: readonly string[], options: Options): Promise<string[]> {
  if (files.length < 2) return [...files];
  const slow = [...new Set(SLOW.flatMap((part) => files.filter((file) => file.startsWith(part))))];
  const quick = files.filter((file) => !slow.includes(file));
  const shared = (wanted: (file: string) => boolean): string[][] => share(quick.filter(wanted), options.processes);
  const isIn = (folders: readonly string[]) => (file: string) => folders.some((part) => file.startsWith(part));
  const [isWaiting, isShort] = [isIn(WAITING), isIn(SHORT)];
  const groups = [
    ...strewn(
      slow.map((file) => [file]),
      shared(isWaiting),
    ),
    ...shared((file) => !isWaiting(file) && !isShort(file)),
    ...shared(isShort),
  ];
  return Promise.all(
    groups.map((group, place) => writeGroup(group, { ...options, name: String(place + 1).padStart(3, '0') })),
  );
}

// One that waits after every few that work, so that there is always somebody who uses the processors.
function strewn(working: string[][], waiting: string[][]): string[][] {
  const every = Math.max(1, Math.floor(working.length / (waiting.length + 1)));
  const mixed = working.flatMap((group, place) =>
    (place + 1) % every === 0 ? [group, ...waiting.splice(0, 1)] : [group],
  );
  return [...mixed, ...waiting];
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
