// The package as it is built: it holds just what its users need, and needs nothing but fetch and what comes with it.
// package.long.test.ts packs it, installs it and compiles against it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildSdk } from '../../tools/packages/build-sdk.ts';
import { openApp } from '../support/shared-app.ts';
import { packageFiles, ROOT } from './package-files.ts';

/** The built package, for all tests of this file. */
let dist: string;
before(() => {
  dist = mkdtempSync(path.join(os.tmpdir(), 'holdfast-sdk-'));
  buildSdk(dist);
});
after(() => rmSync(dist, { recursive: true, force: true }));

test('the package holds the code, the types, its page and its description, and nothing else', () => {
  const entries = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const built = entries.map(({ parentPath, name }) => path.relative(dist, path.join(parentPath, name)));
  assert.deepEqual(built.toSorted(), packageFiles().toSorted());
});

test('its description is for everybody: a module with types, no dependencies, nothing private', () => {
  const { version, description, ...rest } = JSON.parse(readFileSync(path.join(dist, 'package.json'), 'utf8'));
  assert.equal(version, JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version);
  assert.ok(description.length > 20);
  assert.deepEqual(rest, {
    name: '@holdfast/sdk',
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './express': { types: './adapters/express.d.ts', default: './adapters/express.js' },
      './fastify': { types: './adapters/fastify.d.ts', default: './adapters/fastify.js' },
      './hono': { types: './adapters/hono.d.ts', default: './adapters/hono.js' },
      './next': { types: './adapters/next.d.ts', default: './adapters/next.js' },
      './testing': { types: './testing.d.ts', default: './testing.js' },
    },
  });
  for (const file of globSync('**/*.{js,ts}', { cwd: dist })) {
    const text = readFileSync(path.join(dist, file), 'utf8');
    assert.doesNotMatch(text, /from '(?!\.)|from '[^']*(?<!\.js)'|\/\/\/ <reference|import\(/, file);
  }
});

const PROGRAM = path.join(import.meta.dirname, 'edge-run.ts');

test('in a bare context it creates, lists, streams, refuses and checks a signature against a real server', async (t) => {
  const app = await openApp(t);
  const given = ['--experimental-vm-modules', '--no-warnings', PROGRAM, dist, app.url, await app.key(['*'])];
  const { stdout } = await promisify(execFile)(process.execPath, given);
  assert.deepEqual(JSON.parse(stdout), {
    available: '5.00',
    names: ['ada'],
    types: ['balance.credited'],
    eventId: 'evt_1',
    refused: [true, 'INSUFFICIENT_FUNDS', '5.00'],
    stranger: 401,
  });
});
