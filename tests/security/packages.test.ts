// The dependencies in the lock file: pinned, with integrity and licence, and without unknown install scripts. The check for known
// vulnerabilities needs the registry and is `npm run audit:packages`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleLibraries } from '../../tools/packages/build-holdfast.ts';
import { packagesOf, shippedOf, withoutIntegrity, wrongWith } from '../../tools/packages/packages.ts';
import { filesOf, readText } from '../tidy/sources.ts';

const packages = packagesOf(JSON.parse(readText('package-lock.json')));
const bundled = consoleLibraries();
const manifests = filesOf('{package,*/package}.json').map((file) => JSON.parse(readText(file)));

test('every dependency is pinned exactly, has an integrity and an allowed licence, and runs nothing unknown when installed', () => {
  assert.ok(packages.length > 200 && manifests.length >= 6);
  assert.deepEqual(wrongWith(packages, { manifests, bundled }), []);
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
  for (const each of broken) assert.equal(wrongWith([each], { manifests: [] }).length, 1, JSON.stringify(each));
  assert.deepEqual(wrongWith([good, { ...good, license: '(GPL-3.0 OR MIT)' }], { manifests: [] }), []);
  const floating = { name: 'ours', dependencies: { a: '^1.0.0', b: 'latest', c: '1.2.3' } };
  assert.equal(wrongWith([], { manifests: [floating] }).length, 2);
});

test('a licence is read as an SPDX expression: OR is a choice, AND needs both, and an exception is no licence', () => {
  const licensed = (license: string, more: object = {}) => [
    { name: 'one', version: '1.0.0', integrity: 'sha512-x', license, ...more },
  ];
  const isAllowed = (license: string, more?: object) =>
    wrongWith(licensed(license, more), { manifests: [], bundled: ['in-the-page'] }).length === 0;
  for (const good of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', '(MIT OR GPL-3.0) AND (ISC OR AGPL-3.0)']) {
    assert.ok(isAllowed(good), good);
  }
  const bad = [
    'GPL-3.0 AND MIT',
    'MIT AND (GPL-3.0 OR AGPL-3.0)',
    'MIT WITH Font-exception',
    'MIT/GPL',
    '(MIT',
    'MIT ISC',
  ];
  for (const each of [...bad, '', 'none', 'UNLICENSED', 'OR MIT']) assert.ok(!isAllowed(each), each);
  // A tool may have a licence that what is shipped may not have, but not when its code is in the page.
  assert.ok(isAllowed('MPL-2.0', { dev: true }));
  assert.ok(!isAllowed('MPL-2.0', { dev: true, name: 'in-the-page' }));
});

test('the libraries of the console count as shipped', () => {
  assert.ok(
    bundled.includes('react-dom') && bundled.includes('scheduler') && !bundled.includes('vite'),
    bundled.join(', '),
  );
});
