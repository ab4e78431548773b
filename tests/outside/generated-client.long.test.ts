// A client that an independent generator makes from the served document completes the life of two orders and a withdrawal. The generated
// code and the program that uses it type-check, so the schemas say what the server accepts and returns.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { loadPackage } from '../../tools/outside-checks/installed.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { startApp } from '../support/app.ts';
import { assertProof } from '../support/checks.ts';
import { hasPackages, NO_TOOLS } from './fixture.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const STORY = path.join(ROOT, 'tools/outside-checks/story/story.ts');
const COMPILER = path.join(ROOT, 'node_modules/.bin/tsc');

const run = promisify(execFile);

type Generator = { createClient(config: object): Promise<unknown> };

const COMPILER_OPTIONS = {
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [path.join(ROOT, 'node_modules/@types')],
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  noEmit: true,
};

// biome-ignore lint/suspicious/noExplicitAny: the document is changed like JavaScript would
const documentOf = async (url: string): Promise<any> => (await fetch(`${url}/docs/openapi.json`)).json();

/** A folder with the generated client and the program. */
const generate = async (t: TestContext, document: object): Promise<string> => {
  const folder = await temporaryFolder(t);
  const input = path.join(folder, 'openapi.json');
  await writeFile(input, JSON.stringify(document));
  const { createClient } = await loadPackage<Generator>('@hey-api/openapi-ts');
  await createClient({
    input,
    output: { path: path.join(folder, 'client'), module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
  await cp(STORY, path.join(folder, 'story.ts'));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  return folder;
};

/** The errors of the compiler; empty when the folder type-checks. */
const typeErrors = (folder: string): Promise<string> =>
  run(COMPILER, ['-p', folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );

const LIFE = [
  'user buyer: ACTIVE',
  'user seller: ACTIVE',
  // Credited twice with one Idempotency-Key: once in the books.
  'balance of the buyer: 500.00 available, 0.00 reserved',
  'order: ORDER_CREATED',
  'reserved: FUNDS_RESERVED',
  'escrow created: ESCROW_FUNDING',
  'escrow funded: IN_PROGRESS',
  'released: CLOSED RELEASED',
  'balance of the buyer: 400.00 available, 0.00 reserved',
  'balance of the seller: 95.00 available, 0.00 reserved',
  'order: ORDER_CREATED',
  'reserved: FUNDS_RESERVED',
  'escrow created: ESCROW_FUNDING',
  'escrow funded: IN_PROGRESS',
  'dispute: OPEN',
  'dispute: RESOLVED, order: CLOSED SPLIT',
  'balance of the buyer: 340.00 available, 0.00 reserved',
  'balance of the seller: 152.00 available, 0.00 reserved',
  'withdrawal: WITHDRAWAL_COMPLETED',
  'balance of the seller: 102.00 available, 0.00 reserved',
  'a closed order cannot be reserved: 400 INVALID_STATE',
  'proof: every check holds',
];

test('a generated client type-checks and completes a release, a split and a withdrawal', async (t) => {
  if (!hasPackages()) return t.skip(NO_TOOLS);
  const app = await startApp(t, { sandbox: true });
  const document = await documentOf(app.url);
  const folder = await generate(t, document);
  assert.equal(await typeErrors(folder), '');
  const env = { ...process.env, HOLDFAST_URL: app.url, HOLDFAST_KEY: await app.key(['*']) };
  const { stdout } = await run(process.execPath, ['story.ts'], { cwd: folder, env });
  const lines = stdout.trim().split('\n');
  for (const line of lines) t.diagnostic(line);
  assert.deepEqual(lines, LIFE);
  await assertProof(app);
  return undefined;
});

test('the type-check finds a required field that the program does not send', async (t) => {
  if (!hasPackages()) return t.skip(NO_TOOLS);
  const { url } = await startApp(t);
  const document = await documentOf(url);
  const { schema } = document.paths['/api/v1/users'].post.requestBody.content['application/json'];
  schema.properties.country = { type: 'string' };
  schema.required.push('country');
  assert.match(await typeErrors(await generate(t, document)), /Property 'country' is missing/);
  return undefined;
});
