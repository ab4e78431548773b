// Every SDK sample of the API reference compiles against the SDK as it is, all of them in one program.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { EVENT_LOOP, sdkCallOf } from '../../server/src/http/reference/code-samples.ts';
import { apiExamples, type Example, surfaceBExamples } from '../../server/src/http/reference/examples.ts';
import { SDK_CALLS, SURFACE_B_CALLS } from '../../server/src/http/reference/sdk-calls.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Inside the checkout, so that the packages of the workspace are found. */
const FOLDER = path.join(ROOT, 'node_modules/.cache/reference-samples');

type Shown = { readonly calls: Readonly<Record<string, string>>; readonly client: 'holdfast' | 'person' };

const samplesOf = (examples: Readonly<Record<string, Example>>, { calls, client }: Shown): string[] =>
  Object.entries(calls).map(([route, call]) => {
    const sample = sdkCallOf({ call, client, example: examples[route]! });
    assert.ok(sample, route);
    const name = sample.startsWith('const url') ? 'url' : 'answer';
    return `// ${route}\n{\n${sample}\nvoid ${name};\n}`;
  });

test('all samples compile against the SDK', async () => {
  const samples = [
    ...samplesOf(apiExamples(), { calls: SDK_CALLS, client: 'holdfast' }),
    ...samplesOf(surfaceBExamples(), { calls: SURFACE_B_CALLS, client: 'person' }),
    EVENT_LOOP,
  ];
  assert.ok(samples.length > 160);
  const head = [
    "import { Holdfast, SurfaceB } from '@holdfast/sdk';",
    "const holdfast = new Holdfast({ url: '', apiKey: '' });",
    "const person = new SurfaceB({ url: '' });",
  ];
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path.join(FOLDER, 'samples.ts'), [...head, ...samples].join('\n'));
  const settings = { extends: path.join(ROOT, 'tsconfig.json'), include: ['samples.ts'], exclude: [] };
  await writeFile(path.join(FOLDER, 'tsconfig.json'), JSON.stringify(settings));
  const compiled = await promisify(execFile)(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', FOLDER]).catch(
    (error: { stdout: string }) => ({ stdout: error.stdout }),
  );
  assert.equal(compiled.stdout, '');
});
