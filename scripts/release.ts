// `npm run release`: builds everything that belongs to a release into dist/, with SHA256SUMS, and says what is missing for a release. It
// changes nothing else. With `-- --tag` it also tags the commit, and refuses while anything is missing. It publishes nothing.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeArtefacts, SUMS } from '../tools/release/artefacts.ts';
import { notesOf } from '../tools/release/version.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const { version } = JSON.parse(read('package.json')) as { version: string };

/** A list of unreleased entries is no mistake: it is what the next version will have. Those of this version need its heading. */
const missing = (): string[] => {
  const tag = `v${version}`;
  const unreleased = read('CHANGELOG.md').split('## Unreleased\n')[1]?.split(/^## /m)[0] ?? '';
  return [
    ...(git('status', '--porcelain') === '' ? [] : ['The folder has changes that are not committed.']),
    ...(notesOf(read('CHANGELOG.md'), version) === null ? [`CHANGELOG.md has no version ${version}.`] : []),
    ...(/^- /m.test(unreleased) ? ['CHANGELOG.md has unreleased entries: run `npm run release:version` first.'] : []),
    ...(git('tag', '--list', tag) === '' ? [] : [`The tag ${tag} exists already.`]),
  ];
};

const wantsTag = process.argv.includes('--tag');
const found = missing();
const made = makeArtefacts(path.join(ROOT, 'dist'));
for (const { name, bytes, sha256 } of made)
  console.log(`${sha256.slice(0, 16)}…  ${String(bytes).padStart(9)}  dist/${name}`);
console.log(`The sums are in dist/${SUMS}.`);
for (const sentence of found) console.log(`✗ ${sentence}`);
if (wantsTag && found.length === 0) {
  git('tag', '--annotate', `v${version}`, '--message', `Holdfast ${version}`);
  console.log(`✓ The commit has the tag v${version}. Push it: git push origin v${version}`);
} else if (wantsTag) {
  process.exitCode = 1;
} else if (found.length === 0) {
  console.log(`✓ Ready. \`npm run release -- --tag\` tags this commit as v${version}.`);
}
