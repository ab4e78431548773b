// The built console, held in memory with its compressed forms. What is served is a lookup in a table of known files and
// never a path on the disk, so no path a browser can send leads anywhere else.

import { hash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

export type SiteFile = {
  readonly type: string;
  readonly etag: string;
  /** Named by its content, so it never changes. */
  readonly immutable: boolean;
  readonly plain: Buffer;
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
};

export type SiteState = 'ready' | 'building' | 'missing';

export type ConsoleSite = {
  /** By its path below /console/; null when there is no such file. */
  find(name: string): Promise<SiteFile | null>;
  state(): SiteState;
  /** Told by whoever builds it. */
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
/** Written last by the build: another time means another build. */
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
      // Only the page looks for a newer build; everything it then asks for is of the build that named it.
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
            etag: `"${hash('sha256', plain, 'base64url').slice(0, 27)}"`,
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
