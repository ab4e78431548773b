// docs/operating.md is true: what it shows in `sh` runs from top to bottom, and every other command, alert and drill that it
// names exists.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { BREAK_KINDS } from '@holdfast/contract/api/reconciliation.ts';
import type { Command } from 'commander';
import { createProgram } from '../../cli/src/program.ts';
import { DRILLS } from '../../scripts/drills/drills.ts';
import { ROWS } from '../../server/src/config/settings.ts';
import { BIN, openTool } from '../cli/tool.ts';
import { until } from '../committer/bend.ts';
import { MASTER_KEY, startServer } from '../crash/server-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ROOT, readText } from '../tidy/sources.ts';

const page = readText('docs/operating.md');

/** Of `curl -sf [-H header] url` what it does. */
const CURL = `const [url, header] = process.argv.slice(1).filter((each) => !/^-(sf|H)$/.test(each)).reverse();
  const [name, value] = (header ?? "accept: */*").split(/: (.*)/);
  const answer = await fetch(url, { headers: { [name]: value } });
  process.stdout.write(await answer.text());
  process.exitCode = answer.ok ? 0 : 22;`;

const linesOf = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, given]) => given === language)
    .flatMap(([, , text]) => text!.trim().split('\n'));

test('every command that can run does, one after the other', { timeout: 300_000 }, async (t) => {
  const dataDir = await temporaryFolder(t);
  const server = await startServer(t, { dataDir });
  // The jobs that look have looked once: before that, health says so.
  await until(async () => {
    const answer = await fetch(`${server.url}/api/v1/health/detailed`);
    return ((await answer.json()) as { data: { status: string } }).data.status === 'ok';
  }, 'every part is well');
  const tool = await openTool(t, { url: server.url, key: MASTER_KEY });
  const child = spawn('bash', ['--norc', '-x'], {
    cwd: ROOT,
    env: {
      ...tool.env,
      ...{ DATA_DIR: dataDir, BACKUPS: await temporaryFolder(t), MASTER_KEY, SANDBOX: 'off', NODE: process.execPath },
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  // Nobody has to install a program for the tests; the page is for people who have it.
  const curl = `command -v curl > /dev/null || curl() { "$NODE" -e '${CURL}' "$@"; }`;
  const npx = `npx() { shift; "$NODE" "${BIN}" "$@"; }`;
  child.stdin.end(['set -euo pipefail', curl, npx, ...linesOf('sh')].join('\n'));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, said.slice(-3_000));
  assert.doesNotMatch(said, /^ {2}NO /m);
  assert.match(said, /every wallet opens with the restored WALLET_KEK/);
});

test('every other command names a script, a program or a file that exists', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  for (const [, name] of page.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) assert.ok(name! in scripts, name!);
  for (const [, file] of page.matchAll(/(?:node|cp) ((?:scripts|deploy)\/\S+)/g)) {
    assert.ok(existsSync(path.join(ROOT, file!)), file!);
  }
  for (const [, file] of page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
    assert.ok(existsSync(path.join(ROOT, 'docs', file!)), file!);
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

test('every drill, kind of break and setting is called by its name, and what leads to a heading finds it', () => {
  const drills = [...page.matchAll(/npm run drill(?: -- |:)([\w-]+)/g)].map(([, name]) => name!);
  assert.deepEqual(new Set(drills), new Set([...DRILLS.map(({ name }) => name), 'all']));
  for (const kind of BREAK_KINDS) assert.ok(page.includes(`| \`${kind}\` |`), kind);
  const known = ROWS.map(({ setting }) => setting.name);
  const other = ['PROVIDER_TIMEOUT', 'RUNNING'];
  for (const [, name] of page.matchAll(/`([A-Z][A-Z_]{3,})`/g)) {
    assert.ok(known.includes(name!) || other.includes(name!), name!);
  }
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!.toLowerCase().replaceAll(' ', '-'));
  for (const [, anchor] of page.matchAll(/\]\(#([\w-]+)\)/g)) assert.ok(headings.includes(anchor!), anchor!);
});
