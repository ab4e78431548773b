// `npm run release:version 0.2.0`: writes the version into all packages and the lock file, and gives what is unreleased in CHANGELOG.md
// its heading with the date. It commits nothing.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compare } from 'semver';
import { VERSION, versionFiles, withRelease, withVersion } from '../tools/release/version.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const [version = '', date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
const top = read('package.json');
const present = (JSON.parse(top) as { version: string }).version;
try {
  if (!VERSION.test(version)) throw new Error('Say the version: npm run release:version 0.2.0');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Error(`"${date}" is not a date like 2026-11-30.`);
  if (compare(version, present) <= 0) throw new Error(`${version} is not newer than ${present}.`);
  const files = Object.fromEntries(versionFiles(top).map((file) => [file, read(file)]));
  const changelog = withRelease(read('CHANGELOG.md'), { version, date });
  for (const [file, text] of Object.entries({ ...withVersion(files, version), 'CHANGELOG.md': changelog })) {
    writeFileSync(path.join(ROOT, file), text);
  }
  console.log(
    `All parts are ${version}, of ${date}. Look at the changes, then commit them and tag the commit v${version}.`,
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
