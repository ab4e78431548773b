// The package as it would be published: packed, installed without a network in an empty project, run there against a real
// server by every Node.js at hand, and compiled by its users' settings.

import assert from 'node:assert/strict';
import { type ExecFileException, execFile } from 'node:child_process';
import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { buildSdk } from '../../tools/packages/build-sdk.ts';
import { openApp } from '../support/shared-app.ts';
import { packageFiles, ROOT } from './package-files.ts';

const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

type Ran = { readonly code: number; readonly out: string; readonly said: string };

const run = (program: string, given: string[], options: { cwd: string; env?: Record<string, string> }): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { ...process.env, npm_config_cache: path.join(options.cwd, '.npm'), ...options.env };
    execFile(program, given, { cwd: options.cwd, env }, (error: ExecFileException | null, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, out: stdout, said: stdout + stderr });
    });
  });

type Project = { readonly folder: string; readonly packed: string[] };

/** An empty project with the package installed, shared by the tests of this file. */
let project: Promise<Project> | undefined;

const openProject = (): Promise<Project> => {
  project ??= install();
  return project;
};

after(async () => rm((await openProject()).folder, { recursive: true, force: true }));

const install = async (): Promise<Project> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-sdk-'));
  const dist = path.join(folder, 'dist');
  buildSdk(dist);
  const pack = await run('npm', ['pack', '--json', dist], { cwd: folder });
  assert.equal(pack.code, 0, pack.said);
  const [{ filename, files }] = JSON.parse(pack.out);
  await writeFile(path.join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
  const offline = ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`];
  const installed = await run('npm', offline, { cwd: folder });
  assert.equal(installed.code, 0, installed.said);
  return { folder, packed: files.map((file: { path: string }) => file.path) };
};

test('the packed package holds the code, the types, its page and its description, and nothing else', async () => {
  assert.deepEqual((await openProject()).packed.toSorted(), packageFiles().toSorted());
});

/** This one, and whatever else is called `node` in the path. */
const nodesOf = (): string[] => {
  const elsewhere = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '' && !folder.includes('node_modules'))
    .map((folder) => path.join(folder, 'node'))
    .filter((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  return [process.execPath, ...elsewhere.slice(0, 1)];
};

test('the quick start runs in the empty project, with every Node.js at hand', async (t) => {
  const { folder: cwd } = await openProject();
  const app = await openApp(t, { sandbox: true });
  const env = { HOLDFAST_URL: app.url, HOLDFAST_KEY: await app.key(['*']) };
  const program = readFileSync(path.join(ROOT, 'sdk/examples/quick-start.ts'), 'utf8');
  await writeFile(path.join(cwd, 'quick-start.js'), program);
  const nodes = nodesOf();
  if (nodes.length === 1) t.diagnostic('there is no other Node.js in the path');
  for (const node of nodes) {
    const { said: version } = await run(node, ['--version'], { cwd });
    if (Number.parseInt(version.slice(1), 10) < 20) {
      t.diagnostic(`${version.trim()} is older than what is promised`);
      continue;
    }
    const { code, said } = await run(node, ['quick-start.js'], { cwd, env });
    assert.equal(code, 0, `${version}: ${said}`);
    assert.match(said, /^The order is CLOSED: RELEASED\nThe seller has \d+\.00 USD\n/);
    assert.match(said, /order\.closed\n$/);
    t.diagnostic(`ran with ${version.trim()}`);
  }
});

const CONSUMER = `
import { Holdfast, HoldfastError, type HoldfastEvent, type Order, SurfaceB, verifyWebhook } from '@holdfast/sdk';
import { webhookHandler } from '@holdfast/sdk/express';
import { webhookPlugin } from '@holdfast/sdk/fastify';
import { webhookHandler as honoHandler } from '@holdfast/sdk/hono';
import { webhookRoute } from '@holdfast/sdk/next';
import { openTestMarketplace } from '@holdfast/sdk/testing';

const holdfast = new Holdfast({ url: 'http://127.0.0.1:4000', apiKey: 'key' });
export const pay = async (order: Order): Promise<string> => {
  try {
    return (await holdfast.orders.reserve(order.id, { maxRetries: 1 })).status;
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'INSUFFICIENT_FUNDS') return error.details.available;
    throw error;
  }
};
export async function* paid(): AsyncGenerator<string> {
  for await (const event of holdfast.events({ types: ['order.released'] })) yield event.payload.newSellerBalance;
  for await (const user of holdfast.users.list({ limit: 5 })) yield user.externalUserId;
}
export const take = (request: { headers: Headers; body: string }): Promise<HoldfastEvent> =>
  verifyWebhook({ ...request, secret: 'whsec_x' });
export const surface = new SurfaceB({ url: 'http://127.0.0.1:4000' });
export const adapters = [webhookHandler, webhookPlugin, honoHandler, webhookRoute, openTestMarketplace];
// @ts-expect-error: a split needs both parts
void holdfast.disputes.resolve('dsp_1', { decision: 'SPLIT', releaseAmount: '5.00' });
// @ts-expect-error: an amount is a text
void holdfast.balances.credit('usr_1', { amount: 5 });
`;

const SETTINGS = {
  target: 'es2022',
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
};

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const) {
  test(`a program of its users compiles with moduleResolution ${moduleResolution}, every library checked`, async () => {
    const cwd = path.join((await openProject()).folder, moduleResolution);
    await mkdir(cwd);
    await writeFile(path.join(cwd, 'shop.ts'), CONSUMER);
    const compilerOptions = { ...SETTINGS, module, moduleResolution, lib: ['es2022', 'dom'], types: [] };
    await writeFile(path.join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.ts'] }));
    const { code, said } = await run(process.execPath, [TSC, '-p', cwd], { cwd });
    assert.equal(code, 0, said);
  });
}

/** The flows of the page of the package, which end without a signal and need one key. */
const FLOWS = [
  'amounts',
  'dispute',
  'errors',
  'fees',
  'milestones',
  'quick-start',
  'statements',
  'top-up',
  'withdrawal',
];

test('every example compiles against the package, and the flows run with every Node.js at hand', async (t) => {
  const cwd = path.join((await openProject()).folder, 'examples');
  await mkdir(cwd);
  for (const file of globSync('*.ts', { cwd: path.join(ROOT, 'sdk/examples') })) {
    await writeFile(path.join(cwd, file), readFileSync(path.join(ROOT, 'sdk/examples', file), 'utf8'));
  }
  const lib = { lib: ['esnext'], types: ['node'], typeRoots: [path.join(ROOT, 'node_modules/@types')] };
  const emit = { noEmit: false, outDir: path.join(cwd, 'built'), rootDir: cwd };
  const compilerOptions = { ...SETTINGS, module: 'nodenext', ...lib, skipLibCheck: true, ...emit };
  await writeFile(path.join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const { code, said } = await run(process.execPath, [TSC, '-p', cwd], { cwd });
  assert.equal(code, 0, said);

  const app = await openApp(t, { sandbox: true });
  const env = { HOLDFAST_URL: app.url, HOLDFAST_KEY: await app.key(['*']) };
  for (const node of nodesOf()) {
    const { said: version } = await run(node, ['--version'], { cwd });
    if (Number.parseInt(version.slice(1), 10) < 20) continue;
    for (const flow of FLOWS) {
      const ran = await run(node, [path.join('built', `${flow}.js`)], { cwd, env });
      assert.equal(ran.code, 0, `${flow} with ${version}: ${ran.said}`);
    }
    t.diagnostic(`${FLOWS.length} flows ran with ${version.trim()}`);
  }
});
