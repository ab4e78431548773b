// Keeps docs/settings.md and the table of settings the same, and the table itself in order.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DANGERS } from '../../server/src/config/dangers.ts';
import { ROWS } from '../../server/src/config/settings.ts';
import { printSettings, SETTINGS_PAGE } from '../../tools/print/print-settings.ts';

test('docs/settings.md is what the table prints', () => {
  const kept = readFileSync(SETTINGS_PAGE, 'utf8');
  assert.equal(kept, printSettings(), 'run: node tools/print/print-settings.ts');
});

test('no two settings share a name', () => {
  const names = ROWS.map(({ setting }) => setting.name);
  assert.deepEqual([...new Set(names)], names);
});

test('every default is something the setting accepts', () => {
  for (const { setting } of ROWS) {
    if (setting.default !== null) assert.notEqual(setting.parser.read(setting.default), undefined, setting.name);
  }
});

test('every example is accepted, or is a command that makes a secret', () => {
  for (const { setting } of ROWS) {
    const isCommand = setting.secret && setting.example.startsWith('"$(');
    if (!isCommand) assert.notEqual(setting.parser.read(setting.example), undefined, setting.name);
  }
});

test('every dangerous combination names settings that exist', () => {
  const names = ROWS.map(({ setting }) => setting.name);
  for (const danger of DANGERS) {
    assert.ok(
      danger.names.every((name) => names.includes(name)),
      danger.sentence,
    );
  }
});
