// The one version number of all parts: where it is written down, whether all places agree, and how it is set. The top package.json is
// the place that the server and the command line read. Pure: texts in, texts out.

export const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$/;
const OWN = /^@holdfast\//;
const UNRELEASED = '## Unreleased\n';

type Manifest = {
  name?: string;
  version?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  packages?: Record<string, Manifest & { link?: boolean }>;
};

/** The places of a package.json or of a lock file that hold our version. */
const placesOf = (
  manifest: Manifest,
  workspaces: readonly string[],
): { holder: Record<string, unknown>; key: string }[] => [
  { holder: manifest, key: 'version' },
  ...Object.keys(manifest.dependencies ?? {})
    .filter((name) => OWN.test(name))
    .map((key) => ({ holder: manifest.dependencies!, key })),
  ...['', ...workspaces].flatMap((folder) => {
    const entry = manifest.packages?.[folder];
    return entry === undefined ? [] : placesOf(entry, []);
  }),
];

export type Texts = Readonly<Record<string, string>>;

const workspacesOf = (files: Texts): string[] => (JSON.parse(files['package.json']!) as Manifest).workspaces ?? [];

/** The files that hold the version. */
export const versionFiles = (top: string): string[] => [
  'package.json',
  'package-lock.json',
  ...((JSON.parse(top) as Manifest).workspaces ?? []).map((folder) => `${folder}/package.json`),
];

/** Every version in the files, with the place that has it. */
export const versionsIn = (files: Texts): { place: string; version: unknown }[] =>
  Object.entries(files).flatMap(([file, text]) =>
    placesOf(JSON.parse(text) as Manifest, workspacesOf(files)).map(({ holder, key }, at) => ({
      place: `${file} ${at} ${key}`,
      version: holder[key],
    })),
  );

/** The same files with another version. */
export const withVersion = (files: Texts, version: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const manifest = JSON.parse(text) as Manifest;
      for (const { holder, key } of placesOf(manifest, workspacesOf(files))) holder[key] = version;
      return [file, `${JSON.stringify(manifest, null, 2)}\n`];
    }),
  );

/** What was unreleased becomes the entries of this version. An empty list is refused: there is nothing to release. */
export const withRelease = (changelog: string, { version, date }: { version: string; date: string }): string => {
  const [before, after] = changelog.split(UNRELEASED);
  if (after === undefined) throw new Error('CHANGELOG.md has no heading "## Unreleased".');
  const entries = after.split(/^## /m)[0]!;
  if (!/^- /m.test(entries)) throw new Error('CHANGELOG.md lists nothing under "## Unreleased".');
  if (changelog.includes(`\n## ${version} - `)) throw new Error(`CHANGELOG.md has a version ${version} already.`);
  return `${before}${UNRELEASED}\n## ${version} - ${date}\n${after}`;
};

/** The entries of one version, for the notes of a release. */
export const notesOf = (changelog: string, version: string): string | null =>
  changelog
    .split(/^## /m)
    .find((part) => part.startsWith(`${version} - `))
    ?.replace(/^.*\n/, '')
    .trim() ?? null;
