// What `npm run release` makes: both packages, the list of components and the notes, with sums that are right.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeArtefacts, SUMS } from '../../tools/release/artefacts.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { readText } from '../tidy/sources.ts';

test('a release has both packages, the list of components, the notes, and the sum of each file', async (t) => {
  const out = path.join(await temporaryFolder(t), 'dist');
  const made = makeArtefacts(out);
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  const names = [
    `holdfast-${version}.sbom.cdx.json`,
    `holdfast-${version}.tgz`,
    `holdfast-sdk-${version}.tgz`,
    `release-notes-${version}.md`,
  ];
  assert.deepEqual(
    made.map(({ name }) => name),
    names,
  );
  assert.deepEqual(readdirSync(out).toSorted(), [...names, SUMS].toSorted());
  const sums = readFileSync(path.join(out, SUMS), 'utf8').trim().split('\n');
  for (const [at, name] of names.entries()) {
    const sum = createHash('sha256')
      .update(readFileSync(path.join(out, name)))
      .digest('hex');
    assert.equal(sums[at], `${sum}  ${name}`);
  }
  for (const { name, bytes } of made) t.diagnostic(`${name}: ${bytes} bytes`);
});
