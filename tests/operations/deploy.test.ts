// The files in deploy match the repository: files that the image copies, commands, settings, and every metric of the alert rules
// and panels. No test builds the image.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { ROWS } from '../../server/src/config/settings.ts';
import { findProgram } from '../../tools/cluster/balancer.ts';
import { connectionsFor } from '../../tools/cluster/database.ts';
import { localSettings } from '../../tools/cluster/haproxy.ts';
import { openApp } from '../support/shared-app.ts';
import { ROOT, readText } from '../tidy/sources.ts';

const dockerfile = readText('deploy/Dockerfile').replaceAll('\\\n', ' ');
const alerts = readText('deploy/prometheus/alerts.yaml');
const board = JSON.parse(readText('deploy/grafana/holdfast.json')) as { panels: Panel[] };
const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };

type Panel = { type: string; title: string; targets?: { expr: string }[] };

/** The part of one service in a compose file. */
const serviceIn = (file: string, name: string): string =>
  new RegExp(`\\n {2}${name}:\\n([\\s\\S]*?)(?=\\n {2}\\w+:\\n|\\n\\w+:\\n)`).exec(readText(file))?.[1] ?? '';

const environmentIn = (service: string): Record<string, string> =>
  Object.fromEntries([...service.matchAll(/^ {6}([A-Z_]+): (.+)$/gm)].map(([, name, value]) => [name!, value!]));

const instructions = (word: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${word} (.+)$`, 'gm'))].map(([, rest]) => rest!);

test('every file that the image copies exists, .dockerignore allows it, and every workspace is among them', () => {
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

test('image and unit start what npm start does, as an unprivileged user, and stop it gracefully', () => {
  // npm starts a shell, which sets variables and which `exec` replaces. Image and unit start the program without a shell.
  const program = scripts.start!.replace(/^(?:[A-Z_]+=\S+ )+exec /, '');
  assert.deepEqual(
    instructions('CMD')
      .map((rest) => JSON.parse(rest).join(' '))
      .at(-1),
    program,
  );
  for (const [, name] of dockerfile.matchAll(/npm run ([\w:]+)/g)) assert.ok(name! in scripts, name!);
  assert.deepEqual(instructions('USER'), ['holdfast']);
  assert.deepEqual(instructions('VOLUME'), ['/var/lib/holdfast']);
  const unit = readText('deploy/holdfast.service');
  assert.ok(unit.includes(`\nExecStart=/opt/holdfast/node_modules/.bin/${program}\n`));
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

test('every variable that image, unit and compose files set for the server is one of its settings', () => {
  const known = [
    ...ROWS.map(({ setting }) => setting.name),
    'PATH',
    'NODE_ENV',
    'NODE_COMPILE_CACHE',
    'MALLOC_ARENA_MAX',
  ];
  const set = [
    ...['deploy/compose.yaml', 'deploy/compose.scale.yaml'].flatMap((file) =>
      Object.keys(environmentIn(serviceIn(file, 'server'))),
    ),
    ...[
      ...instructions('ENV')
        .join(' ')
        .matchAll(/([A-Z_]+)=/g),
    ].map(([, name]) => name!),
    ...[...readText('deploy/holdfast.service').matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name!),
  ];
  assert.ok(set.length > 25);
  assert.deepEqual(
    set.filter((name) => !known.includes(name)),
    [],
  );
});

const SCALED = 'deploy/compose.scale.yaml';

test('several servers accept the settings of the compose file: one sandbox for all, and its factories', async (t) => {
  const given: Record<string, string> = {
    PAYMENT_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
    ESCROW_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
    WALLET_KEK: `1:${randomBytes(32).toString('base64')}`,
  };
  const environment = environmentIn(serviceIn(SCALED, 'server'));
  const settings = Object.entries(environment).map(([name, value]) => {
    const bare = value.replaceAll('"', '').replace(/\$\{\w+:-(.*?)\}/, '$1');
    return [name, bare.replace(/\$\{(\w+):\?\}/, (_, secret) => given[secret] ?? randomBytes(24).toString('hex'))];
  });
  const read = readConfig({ HOST: '0.0.0.0', ...Object.fromEntries(settings) });
  assert.deepEqual(read.ok ? [] : read.problems, []);
  assert.ok(read.ok && read.config.sandbox.isOn === false && read.config.http.trustProxy === 1);

  const sandbox = await startSandbox({ port: 0 });
  t.after(sandbox.close);
  const { adapters } = read.config;
  assert.deepEqual(sandbox.describe().escrowFactories, {
    'single-release': adapters.escrowFactorySingle,
    'multi-release': adapters.escrowFactoryMulti,
  });
  const [, room] = /max_connections=(\d+)/.exec(serviceIn(SCALED, 'postgres')) ?? [];
  assert.ok(
    Number(room) >= connectionsFor(4),
    'PostgreSQL has enough connections for the four servers that the file mentions',
  );
});

test('the balancer uses the name and the port of the servers, and its settings are valid', async (t) => {
  const balancer = readText('deploy/haproxy.cfg');
  assert.equal(balancer.match(/server-template server \d+ server:4000 /g)?.length, 3);
  assert.ok(serviceIn(SCALED, 'balancer').includes('./haproxy.cfg:'));
  // A silent stream is pinged before a timeout of the balancer on either side.
  const [ping] = ROWS.filter(({ setting }) => setting.name === 'SSE_PING_S').map(({ setting }) =>
    Number(setting.default),
  );
  const patience = [...balancer.matchAll(/timeout (?:client|server) (\d+)s/g)].map(([, seconds]) => Number(seconds));
  assert.equal(patience.length, 2);
  for (const seconds of patience) assert.ok(seconds >= 2 * ping!);

  const local = localSettings(balancer, { port: 4000, serverPorts: [4001, 4002], socket: '/tmp/haproxy.sock' });
  assert.doesNotMatch(local, /server-template|resolvers|server:4000/);
  assert.equal(local.match(/^ {4}server s400[12] 127\.0\.0\.1:400[12]$/gm)?.length, 6);
  const program = await findProgram('haproxy');
  if (program === null) {
    t.diagnostic('HAProxy is not installed here, so its settings were not checked');
    return;
  }
  for (const file of ['haproxy.cfg', 'haproxy-sandbox.cfg']) {
    await promisify(execFile)(program, ['-c', '-f', path.join(ROOT, 'deploy', file)]);
  }
});

const WORDS = /\b(holdfast|process|nodejs)_[a-z0-9_]+\b/g;

test('the server exports every metric of the rules and the board', async (t) => {
  const app = await openApp(t, { sandbox: true });
  await app.aUser({ available: '1.00' });
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
  // A rule or a panel uses every metric of the service.
  const seen = new Set(asked.map((name) => name.replace(/_(bucket|count|sum)$/, '')));
  assert.deepEqual(
    [...families].filter((name) => name.startsWith('holdfast_') && !seen.has(name)),
    [],
  );
});

test('docs/operating.md names every alert and has the heading that its runbook links to', () => {
  const page = readText('docs/operating.md');
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const anchors = [...alerts.matchAll(/runbook: docs\/operating\.md#([\w-]+)/g)].map(([, anchor]) => anchor!);
  assert.equal(anchors.length, names.length);
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!.toLowerCase().replaceAll(' ', '-'));
  for (const anchor of anchors) assert.ok(headings.includes(anchor), anchor!);
  for (const name of names) assert.ok(page.includes(name), name!);
});
