// docs/security.md names only tests that exist, quotes only promises that are made, and lists every check of the
// doctor.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SETTINGS_CHECKS } from '../../server/src/programs/doctor/settings-checks.ts';
import { ROOT, readText } from '../tidy/sources.ts';

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
