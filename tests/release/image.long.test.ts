// The container image, without Docker: the steps of deploy/Dockerfile run in an empty folder, and what they made starts, is healthy,
// answers and stops.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { checkImage } from '../../tools/release/check-image.ts';
import { filesBelow } from '../../tools/release/run-dockerfile.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';

/** What is left out, because it would change this machine or needs a network of images. */
const LEFT_OUT = [/^FROM node:/, /^FROM debian:/, /^RUN useradd /, /^USER /, /^EXPOSE /];

test('the image is built by its own steps, starts as an account without rights, is healthy and stops in good order', async (t) => {
  const { image, pages, exitCode } = await checkImage(await temporaryFolder(t));
  const skipped = image.steps.filter((step) => step.skipped !== null).map(({ step }) => step);
  assert.ok(image.steps.length > 35, String(image.steps.length));
  for (const step of skipped)
    assert.ok(
      LEFT_OUT.some((each) => each.test(step)),
      step,
    );
  for (const [page, status] of Object.entries(pages)) assert.equal(status, 200, page);
  assert.equal(exitCode, 0);

  const files = filesBelow(path.join(image.root, 'app'));
  for (const file of ['LICENSE', 'docs/README.md', 'console/dist/index.html', 'server/src/main.ts']) {
    assert.ok(files.includes(file), file);
  }
  // No sources of the console, so that the server does not try to build it; no tests; no tools for developing.
  assert.deepEqual(
    files.filter((file) =>
      /^(tests|tools|scripts|bench)\/|^console\/src\/|\.test\.ts$|secrets(-\d+)?\.json$/.test(file),
    ),
    [],
  );
  for (const tool of ['typescript', 'vite', '@biomejs/biome']) {
    assert.equal(existsSync(path.join(image.root, 'app/node_modules', tool)), false, tool);
  }
});
