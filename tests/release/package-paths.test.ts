// How the code of the checkout becomes the code of the package, and which packages of the lock file it needs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCopied, withPackagePaths } from '../../tools/packages/build-holdfast.ts';
import { neededOf } from '../../tools/packages/locked-tree.ts';

test('imports of other parts become relative, and files of threads get the name that they have in the package', () => {
  const file = 'server/src/documents/pdf.js';
  const cases = [
    [
      "import { A } from '@holdfast/contract/api/orders.ts';",
      "import { A } from '../../../contract/src/api/orders.js';",
    ],
    ["await import('@holdfast/sandbox/sandbox.ts')", "await import('../../../sandbox/src/sandbox.js')"],
    ["packaged('@holdfast/contract/look/tokens.css')", "packaged('../../../contract/src/look/tokens.css')"],
    // An example that the server shows.
    ["import { Holdfast } from '@holdfast/sdk';", "import { Holdfast } from '@holdfast/sdk';"],
    [
      "new Worker(new URL('./pdf-thread.ts', import.meta.url))",
      "new Worker(new URL('./pdf-thread.js', import.meta.url))",
    ],
    ["import x from 'fastify'; // see '@holdfast/sdk'", "import x from 'fastify'; // see '@holdfast/sdk'"],
  ];
  for (const [before, wanted] of cases) assert.equal(withPackagePaths(before!, file), wanted);
  const command = "import { Holdfast } from '@holdfast/sdk';";
  assert.equal(withPackagePaths(command, 'cli/src/run.js'), "import { Holdfast } from '../../sdk/src/index.js';");
  assert.equal(
    withPackagePaths("await import('../src/main.ts');", 'cli/bin/holdfast.js'),
    "await import('../src/main.js');",
  );
});

test('a package needs its dependencies and theirs, in the version that Node.js would find', () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      'node_modules/a': { version: '1.0.0', dependencies: { b: '^2.0.0' } },
      'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '*' } },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/c': {
        version: '1.0.0',
        peerDependencies: { d: '*', e: '*' },
        peerDependenciesMeta: { e: { optional: true } },
      },
      'node_modules/d': { version: '1.0.0', optionalDependencies: { gone: '1.0.0' } },
      'node_modules/e': { version: '1.0.0' },
      'node_modules/own': { link: true },
    },
  };
  assert.deepEqual(Object.keys(neededOf(lock, { dependencies: { a: '1.0.0' } })), [
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
    'node_modules/d',
  ]);
  assert.throws(() => neededOf(lock, { dependencies: { missing: '1.0.0' } }), /the lock file has no missing/);
  assert.throws(() => neededOf(lock, { dependencies: { own: '1.0.0' } }), /own is a workspace/);
});

test('a hidden file beside the copied ones, such as the secrets of a deployment, stays out of the package', () => {
  assert.deepEqual(['deploy', 'deploy/.env', 'deploy/compose.yaml', 'docs/.draft.md'].filter(isCopied), [
    'deploy',
    'deploy/compose.yaml',
  ]);
});
