// The built console in memory, with its compressed files. A request is a lookup in a table of known files and never a path on the disk,
// so no request can read another file.

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { etagOf, type SiteFile } from '../files/site-file.ts';

type SiteState = 'ready' | 'building' | 'missing';

export type ConsoleSite = {
  /** Finds a file by its path below /console/; null when it does not exist. */
  find(name: string): Promise<SiteFile | null>;
  state(): SiteState;
  /** The build reports its start and its end. */
  building(isBuilding: boolean): void;
};

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export const PAGE = 'index.html';
const HASHED = 'assets/';
/** The build writes this file last: a new modification time means a new build. */
const STAMP = 'built.json';

export const openConsoleSite = (folder: string): ConsoleSite => {
  let files: ReadonlyMap<string, SiteFile> = new Map();
  let loadedMs = 0;
  let isBuilding = false;

  const refresh = async (): Promise<void> => {
    const builtMs = await stat(path.join(folder, STAMP)).then(
      (found) => found.mtimeMs,
      () => 0,
    );
    if (builtMs === 0 || builtMs === loadedMs) return;
    files = await readSite(folder);
    loadedMs = builtMs;
  };

  return {
    async find(name) {
      // Only the page checks for a newer build. All files that it loads belong to the same build.
      if (name === PAGE || files.size === 0) await refresh();
      return files.get(name) ?? null;
    },
    state: () => (files.size > 0 ? 'ready' : isBuilding ? 'building' : 'missing'),
    building(now) {
      isBuilding = now;
    },
  };
};

const readSite = async (folder: string): Promise<Map<string, SiteFile>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
  const known = new Set(names);
  const read = (name: string) => (known.has(name) ? readFile(path.join(folder, name)) : null);
  const served = names.filter((name) => path.extname(name) in TYPES);
  return new Map(
    await Promise.all(
      served.map(async (name): Promise<[string, SiteFile]> => {
        const plain = (await read(name))!;
        return [
          name,
          {
            type: TYPES[path.extname(name)]!,
            etag: etagOf(plain),
            immutable: name.startsWith(HASHED),
            plain,
            gzip: await read(`${name}.gz`),
            brotli: await read(`${name}.br`),
          },
        ];
      }),
    ),
  );
};
