// The list of everything that a package brings along (SBOM), as CycloneDX JSON, which npm prints from a lock file. The same lock file
// gives the same list: npm's random number and time are replaced.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { READ_LICENCES } from './licences.ts';
import { type Lock, type LockEntry, neededOf } from './locked-tree.ts';

export const SBOM_FILE = 'sbom.cdx.json';

/** npm prints 1.5. Everything in its list has the same meaning in 1.6. */
const SPEC_VERSION = '1.6';

export type Component = {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
};

export type Sbom = {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

type Product = LockEntry & { readonly name: string; readonly version: string };

/** With it npm installs exactly the versions of our lock file. */
export const shrinkwrapOf = (product: Product, lock: Lock) => ({
  name: product.name,
  version: product.version,
  lockfileVersion: lock.lockfileVersion,
  requires: true,
  packages: { '': product, ...neededOf(lock, product) },
});

const printByNpm = (product: Product, lock: Lock): Sbom => {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'holdfast-sbom-'));
  // npm takes the name of the folder for the name of the package.
  const folder = path.join(temporary, product.name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(product));
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(shrinkwrapOf(product, lock)));
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20 });
    if (status !== 0) throw new Error(`npm sbom failed:\n${stdout}${stderr}`);
    return JSON.parse(stdout) as Sbom;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

/** A UUID from the content, of version 8: its bits are the builder's own. */
const serialOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
};

const withReadLicence = (component: Component): Component => {
  const read = READ_LICENCES[component.name];
  return read === undefined ? component : { ...component, licenses: [{ license: { id: read.is } }] };
};

export const sbomOf = (product: Product, lock: Lock): Sbom => {
  const { serialNumber: _random, metadata, components: found, ...rest } = printByNpm(product, lock);
  const components = found.map(withReadLicence);
  const { timestamp: _now, ...facts } = metadata;
  const $schema = `http://cyclonedx.org/schema/bom-${SPEC_VERSION}.schema.json`;
  const content = { ...rest, components, $schema, specVersion: SPEC_VERSION, metadata: facts };
  return { ...content, serialNumber: serialOf(JSON.stringify(content)) };
};
