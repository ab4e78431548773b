// Everything that belongs to a release, in one folder: both packages, the list of components, the notes, and the SHA-256 of each file.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildHoldfast } from '../packages/build-holdfast.ts';
import { buildSdk } from '../packages/build-sdk.ts';
import { SBOM_FILE } from '../packages/sbom.ts';
import { packFolder } from './pack.ts';
import { notesOf } from './version.ts';

export const SUMS = 'SHA256SUMS';
const ROOT = path.resolve(import.meta.dirname, '../..');

type Artefact = { readonly name: string; readonly bytes: number; readonly sha256: string };

const measured = (folder: string, name: string): Artefact => {
  const content = readFileSync(path.join(folder, name));
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
};

/** Empties the folder and fills it. The notes are those of the version, or what is unreleased. */
export const makeArtefacts = (out: string): Artefact[] => {
  rmSync(out, { recursive: true, force: true });
  const work = path.join(out, 'work');
  mkdirSync(work, { recursive: true });
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  buildHoldfast(path.join(work, 'holdfast'));
  buildSdk(path.join(work, 'sdk'));
  packFolder(path.join(work, 'holdfast'), out);
  packFolder(path.join(work, 'sdk'), out);
  renameSync(path.join(work, 'holdfast', SBOM_FILE), path.join(out, `holdfast-${version}.${SBOM_FILE}`));
  rmSync(work, { recursive: true });
  const notes = notesOf(readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
  writeFileSync(path.join(out, `release-notes-${version}.md`), `${notes ?? ''}\n`);
  const made = readdirSync(out)
    .sort()
    .map((name) => measured(out, name));
  writeFileSync(path.join(out, SUMS), made.map(({ sha256, name }) => `${sha256}  ${name}\n`).join(''));
  return made;
};
