// One version number for all parts, the tool that sets it, and the form of the changelog.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notesOf, VERSION, versionFiles, versionsIn, withRelease, withVersion } from '../../tools/release/version.ts';
import { runShared } from '../cli/shared-tool.ts';
import { openApp } from '../support/shared-app.ts';
import { readText } from '../tidy/sources.ts';

const top = readText('package.json');
const present = (JSON.parse(top) as { version: string }).version;
const files = Object.fromEntries(versionFiles(top).map((file) => [file, readText(file)]));

test('all packages and the lock file have one version', () => {
  const found = versionsIn(files);
  // Seven packages, the three uses of one another, and the same in the lock file with its own version.
  assert.ok(found.length >= 20, String(found.length));
  assert.match(present, VERSION);
  assert.deepEqual(
    found.filter(({ version }) => version !== present),
    [],
  );
});

test('the tool changes every place and nothing else', () => {
  const changed = withVersion(files, '7.8.9');
  assert.deepEqual(
    versionsIn(changed).filter(({ version }) => version !== '7.8.9'),
    [],
  );
  assert.deepEqual(withVersion(changed, present), files);
});

test('what is unreleased becomes the entries of the version, and an empty list is refused', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Added\n\n- a\n\n## 0.1.0 - 2026-11-16\n\n- b\n';
  const after = withRelease(before, { version: '0.2.0', date: '2026-11-30' });
  assert.equal(after, before.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0 - 2026-11-30\n'));
  assert.equal(notesOf(after, '0.2.0'), '### Added\n\n- a');
  assert.equal(notesOf(after, '0.3.0'), null);
  assert.throws(() => withRelease(after, { version: '0.3.0', date: '2026-12-01' }), /lists nothing/);
  assert.throws(() => withRelease(before, { version: '0.1.0', date: '2026-12-01' }), /already/);
});

test('the changelog has versions with dates, newest first, and only the five kinds of change', () => {
  const changelog = readText('CHANGELOG.md');
  const versions = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
  assert.equal(versions[0], 'Unreleased');
  for (const heading of versions.slice(1)) assert.match(heading, /^\d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2}$/);
  assert.ok(versions[1]!.startsWith(`${present} - `), 'the newest version of the changelog is that of the packages');
  const kinds = [...changelog.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind!);
  for (const kind of kinds) assert.match(kind, /^(Upgrade notes|Added|Changed|Fixed|Removed)$/);
});

test('server, API document and command line show this version', async (t) => {
  const app = await openApp(t);
  const document = (await (await fetch(`${app.url}/docs/openapi.json`)).json()) as { info: { version: string } };
  assert.equal(document.info.version, present);
  const { out } = await runShared({ args: ['--version'], env: {}, folder: process.cwd() });
  assert.equal(out.trim(), present);
});
