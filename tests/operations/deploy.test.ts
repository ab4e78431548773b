// What is deployed fits what is here: files that the image copies, commands, settings, and every metric that a rule or a panel
// asks for. The image itself is not built by a test.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROWS } from '../../server/src/config/settings.ts';
import { startApp } from '../support/app.ts';
import { ROOT, readText } from '../tidy/sources.ts';

const dockerfile = readText('deploy/Dockerfile').replaceAll('\\\n', ' ');
const alerts = readText('deploy/prometheus/alerts.yaml');
const board = JSON.parse(readText('deploy/grafana/holdfast.json')) as { panels: Panel[] };
const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };

type Panel = { type: string; title: string; targets?: { expr: string }[] };

const instructions = (word: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${word} (.+)$`, 'gm'))].map(([, rest]) => rest!);

test('every file that the image copies is here, is not kept from it, and every workspace is among them', () => {
  const allowed = readText('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const copied = instructions('COPY')
    .filter((rest) => !rest.startsWith('--from='))
    .flatMap((rest) => rest.split(/\s+/).slice(0, -1));
  assert.ok(copied.length > 10);
  for (const file of copied) {
    assert.ok(existsSync(path.join(ROOT, file)), file!);
    assert.ok(
      allowed.some((each) => file === each || file.startsWith(`${each}/`)),
      `${file} in .dockerignore`,
    );
  }
  const { workspaces } = JSON.parse(readText('package.json')) as { workspaces: string[] };
  for (const workspace of workspaces) assert.ok(copied.includes(`${workspace}/package.json`), workspace);
});

test('image and unit start what npm start does, as somebody without rights, and stop it gently', () => {
  assert.deepEqual(
    instructions('CMD')
      .map((rest) => JSON.parse(rest).join(' '))
      .at(-1),
    scripts.start,
  );
  for (const [, name] of dockerfile.matchAll(/npm run ([\w:]+)/g)) assert.ok(name! in scripts, name!);
  assert.deepEqual(instructions('USER'), ['holdfast']);
  assert.deepEqual(instructions('VOLUME'), ['/var/lib/holdfast']);
  const unit = readText('deploy/holdfast.service');
  assert.ok(unit.includes(`\nExecStart=/opt/holdfast/node_modules/.bin/${scripts.start}\n`));
  for (const line of [
    'User=holdfast',
    'Restart=always',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'KillMode=mixed',
  ]) {
    assert.ok(unit.includes(`\n${line}\n`), line);
  }
});

test('whatever is set for the server is one of its settings', () => {
  const known = [...ROWS.map(({ setting }) => setting.name), 'PATH', 'NODE_ENV'];
  const [, server = ''] = /\n {2}server:\n([\s\S]*?)\n {2}postgres:\n/.exec(readText('deploy/compose.yaml')) ?? [];
  const set = [
    ...[...server.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name!),
    ...[
      ...instructions('ENV')
        .join(' ')
        .matchAll(/([A-Z_]+)=/g),
    ].map(([, name]) => name!),
    ...[...readText('deploy/holdfast.service').matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name!),
  ];
  assert.ok(set.length > 12);
  assert.deepEqual(
    set.filter((name) => !known.includes(name)),
    [],
  );
});

const WORDS = /\b(holdfast|process|nodejs)_[a-z0-9_]+\b/g;

test('every metric and label of the rules and the board is one that the server shows', async (t) => {
  const app = await startApp(t, { sandbox: true });
  await app.user({ available: '1.00' });
  const shown = await (await fetch(`${app.url}/metrics`)).text();
  const families = new Set([...shown.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  const known = (name: string): boolean => families.has(name) || families.has(name.replace(/_(bucket|count|sum)$/, ''));
  const queries = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  assert.ok(queries.length > 25);
  const asked = [alerts.replaceAll(/#.*$/gm, ''), ...queries].flatMap((text) => text.match(WORDS) ?? []);
  assert.deepEqual(
    [...new Set(asked)].filter((name) => !known(name)),
    [],
  );
  // And nothing of ours is shown without anybody looking at it.
  const seen = new Set(asked.map((name) => name.replace(/_(bucket|count|sum)$/, '')));
  assert.deepEqual(
    [...families].filter((name) => name.startsWith('holdfast_') && !seen.has(name)),
    [],
  );
});

test('every alert has its place in docs/operating.md', () => {
  const page = readText('docs/operating.md');
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const anchors = [...alerts.matchAll(/runbook: docs\/operating\.md#([\w-]+)/g)].map(([, anchor]) => anchor!);
  assert.equal(anchors.length, names.length);
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!.toLowerCase().replaceAll(' ', '-'));
  for (const anchor of anchors) assert.ok(headings.includes(anchor), anchor!);
  for (const name of names) assert.ok(page.includes(name), name!);
});
