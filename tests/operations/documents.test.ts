// Every command, file, alert and drill that docs/operating.md names exists. documents.long.test.ts runs its examples.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { AUDIT_ACTIONS } from '@holdfast/contract/audit.ts';
import { ERRORS } from '@holdfast/contract/errors.ts';
import { BREAK_KINDS, DEADLINE_STATUSES, SYSTEM_ALERT_KINDS } from '@holdfast/contract/states.ts';
import type { Command } from 'commander';
import { createProgram } from '../../cli/src/program.ts';
import { ROWS } from '../../server/src/config/settings.ts';
import { DRILLS } from '../../tools/drills/drills.ts';
import { blocksOf, commandLines, parseOnly } from '../cli/command-lines.ts';
import { ROOT, readText } from '../tidy/sources.ts';

const page = readText('docs/operating.md');

test('every command names a script, a program or a file that exists', async () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  for (const [, name] of page.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) assert.ok(name! in scripts, name!);
  for (const [, file] of page.matchAll(/(?:node|cp) ((?:scripts|deploy)\/\S+)/g)) {
    assert.ok(existsSync(path.join(ROOT, file!)), file!);
  }
  for (const [, file] of page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
    assert.ok(existsSync(path.join(ROOT, 'docs', file!)), file!);
  }
  for (const words of ['sh', 'console'].flatMap((language) => blocksOf(page, language)).flatMap(commandLines)) {
    await assert.doesNotReject(parseOnly(words), words.join(' '));
  }
  for (const [, text] of page.matchAll(/npx holdfast ([a-z -]+)/g)) {
    const [first, second] = text!.trim().split(' ');
    const command: Command | undefined = createProgram().commands.find((each) => each.name() === first);
    assert.ok(command, text!);
    if (command.commands.length > 0)
      assert.ok(
        command.commands.some((each) => each.name() === second),
        text!,
      );
  }
});

test('the page names every drill and kind of break, only existing settings, and every link to a heading has a target', () => {
  const drills = [...page.matchAll(/npm run drill(?: -- |:)([\w-]+)/g)].map(([, name]) => name!);
  assert.deepEqual(new Set(drills), new Set([...DRILLS.map(({ name }) => name), 'all']));
  for (const kind of BREAK_KINDS) assert.ok(page.includes(`| \`${kind}\` |`), kind);
  const known = ROWS.map(({ setting }) => setting.name);
  for (const kind of SYSTEM_ALERT_KINDS) assert.ok(page.includes(`| \`${kind}\``), kind);
  const other: readonly string[] = [
    ...Object.keys(ERRORS),
    ...AUDIT_ACTIONS,
    ...SYSTEM_ALERT_KINDS,
    ...DEADLINE_STATUSES,
    'RUNNING',
  ];
  for (const [, name] of page.matchAll(/`([A-Z][A-Z_]{3,})`/g)) {
    assert.ok(known.includes(name!) || other.includes(name!), name!);
  }
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!.toLowerCase().replaceAll(' ', '-'));
  for (const [, anchor] of page.matchAll(/\]\(#([\w-]+)\)/g)) assert.ok(headings.includes(anchor!), anchor!);
});
