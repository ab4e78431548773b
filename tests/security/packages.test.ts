// The dependencies in the lock file: pinned, with integrity and licence, and without unknown install scripts. The check for known
// vulnerabilities needs the registry and is `npm run audit:packages`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packagesOf, shippedOf, withoutIntegrity, wrongWith } from '../../tools/packages/packages.ts';
import { filesOf, readText } from '../tidy/sources.ts';

const packages = packagesOf(JSON.parse(readText('package-lock.json')));
const manifests = filesOf('{package,*/package}.json').map((file) => JSON.parse(readText(file)));

test('every dependency is pinned exactly, has an integrity and an allowed licence, and runs nothing unknown when installed', () => {
  assert.ok(packages.length > 200 && manifests.length >= 6);
  assert.deepEqual(wrongWith(packages, manifests), []);
});

test('everything that is shipped has its integrity in the lock file', () => {
  assert.ok(shippedOf(packages).length > 100);
  assert.deepEqual(withoutIntegrity(shippedOf(packages)), []);
});

test('each rule finds a package that breaks it', () => {
  const good = { name: 'good', version: '1.0.0', integrity: 'sha512-x', license: 'MIT' };
  const broken = [
    { ...good, integrity: 'sha1-x' },
    { name: 'bare', version: '1.0.0', license: 'MIT' },
    { ...good, resolved: 'https://elsewhere.example/a.tgz' },
    { ...good, license: 'AGPL-3.0' },
    { ...good, license: 'MPL-2.0' },
    { ...good, hasInstallScript: true },
  ];
  for (const each of broken) assert.equal(wrongWith([each], []).length, 1, JSON.stringify(each));
  assert.deepEqual(wrongWith([good, { ...good, license: '(GPL-3.0 OR MIT)' }], []), []);
  const floating = { name: 'ours', dependencies: { a: '^1.0.0', b: 'latest', c: '1.2.3' } };
  assert.equal(wrongWith([], [floating]).length, 2);
});
