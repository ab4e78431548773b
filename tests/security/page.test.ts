// docs/security.md names only tests that exist, quotes only promises that are made, says the worst of every caller, and lists every
// check of the doctor.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SCOPES } from '@holdfast/contract/scopes.ts';
import { SETTINGS_CHECKS } from '../../server/src/programs/doctor/settings-checks.ts';
import { filesOf, ROOT, readText } from '../tidy/sources.ts';

const page = readText('docs/security.md');

test('every file that the page on security names is there', () => {
  const named = [...page.matchAll(/`(tests\/[\w/.-]+)`/g)].map(([, file]) => file!);
  assert.ok(named.length > 40);
  assert.deepEqual(
    named.filter((file) => !existsSync(path.join(ROOT, file))),
    [],
  );
});

test('every promise that the page quotes is the name of a test in the file before it', () => {
  const quoted = [...page.matchAll(/`(tests\/[\w/.-]+)` "([^"]+)"/g)];
  assert.ok(quoted.length >= 20);
  const broken = quoted.filter(([, file, name]) => !readText(file!).includes(name!));
  assert.deepEqual(
    broken.map(([, file, name]) => `${file}: ${name}`),
    [],
  );
});

test('every defect from 28 to 40 has its row with a test, and every check of the settings its row', () => {
  for (let number = 28; number <= 40; number++) {
    assert.match(page, new RegExp(`^\\| ${number} \\|.*\`tests/`, 'm'), String(number));
  }
  for (const { name } of SETTINGS_CHECKS) assert.ok(page.includes(`\n| \`${name}\` |`), name);
});

/** The tables of the worst that each caller can do, by their heading. */
const worst = new Map(
  page
    .split(/^## /m)
    .find((section) => section.startsWith('The worst that each caller can do'))!
    .split(/^### /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part] as const),
);

test('every scope, every other key and every caller without a key has its table of the worst', () => {
  assert.deepEqual(
    [...worst.keys()],
    [
      'Without a key',
      'Any key',
      ...SCOPES.map((scope) => `A key with \`${scope}\``),
      'A token made from a key',
      'The master key',
      'The holder of a webhook secret',
      'A person of Surface B',
      'The development key',
    ],
  );
});

test('every row of the worst says what bounds it, and names a test for it', () => {
  for (const [caller, part] of worst) {
    const rows = part.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| The worst |'));
    assert.ok(rows.length > 0, caller);
    for (const row of rows) {
      const cells = row.slice(2, -2).split(' | ');
      assert.equal(cells.length, 3, row);
      assert.match(cells[2]!, /^`tests\/[\w/.-]+` "[^"]+"(; `tests\/[\w/.-]+` "[^"]+")*$/, row);
    }
  }
});

type Operation = { readonly method: string; readonly path: string; readonly access: string };

const isOpen = (value: unknown): value is Operation =>
  ['public', 'open', 'optional'].includes((value as Partial<Operation> | null)?.access ?? '');

test('every operation that needs no key is in the table of the callers without one', async () => {
  const files = filesOf('contract/src/api/*.ts', 'contract/src/surface-b/*.ts');
  const modules = await Promise.all(files.map((file) => import(path.join(ROOT, file)) as Promise<object>));
  const open = modules.flatMap((all) => Object.values(all)).filter(isOpen);
  assert.equal(open.length, 9);
  const missing = open.filter(({ method, path: at }) => !worst.get('Without a key')!.includes(`\`${method} ${at}\``));
  assert.deepEqual(missing, []);
});
