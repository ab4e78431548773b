// The part of a lock file that some dependencies need: these packages, what they need in turn, and nothing for developing. Packages are
// found as Node.js finds them: in the nearest node_modules above. Pure.

export type LockEntry = {
  readonly version?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
};

export type Lock = { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, LockEntry>> };

const FOLDER = 'node_modules/';

/** Where a package at `from` finds `name`; null when the lock has no such package. */
const find = (lock: Lock, { name, from }: { name: string; from: string }): string | null => {
  const place = from === '' ? `${FOLDER}${name}` : `${from}/${FOLDER}${name}`;
  if (lock.packages[place] !== undefined) return place;
  if (from === '') return null;
  const above = from.lastIndexOf(`/${FOLDER}`);
  return find(lock, { name, from: above === -1 ? '' : from.slice(0, above) });
};

type Need = { readonly name: string; readonly mayMiss: boolean };

/** An optional peer is used where it is installed for another reason; it is no need. */
const needsOf = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockEntry): Need[] => [
  ...Object.keys(dependencies ?? {}).map((name) => ({ name, mayMiss: false })),
  ...Object.keys(optionalDependencies ?? {}).map((name) => ({ name, mayMiss: true })),
  ...Object.keys(peerDependencies ?? {})
    .filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
    .map((name) => ({ name, mayMiss: false })),
];

/** The entries of the lock that a package with these dependencies needs, by place, in the order of the lock. */
export const neededOf = (lock: Lock, root: LockEntry): Record<string, LockEntry> => {
  const places = new Set<string>();
  const visit = (entry: LockEntry, from: string): void => {
    for (const { name, mayMiss } of needsOf(entry)) {
      const place = find(lock, { name, from });
      if (place === null && !mayMiss)
        throw new Error(`the lock file has no ${name}, which ${from || 'the package'} needs`);
      if (place === null || places.has(place)) continue;
      const found = lock.packages[place]!;
      if (found.link === true) throw new Error(`${name} is a workspace; put its code into the package instead`);
      places.add(place);
      visit(found, place);
    }
  };
  visit(root, '');
  const entries = Object.entries(lock.packages).filter(([place]) => places.has(place));
  // A tool of the checkout may be a part of the product. npm leaves tools out where NODE_ENV is production.
  return Object.fromEntries(entries.map(([place, { dev: _tool, ...entry }]) => [place, entry]));
};
