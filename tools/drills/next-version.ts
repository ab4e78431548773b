// A next version of this server, as far as an upgrade sees it: the same code in a folder of its own, with one more migration
// that changes the tables that are used most.

import { cp, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Stage } from './stage.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MIGRATIONS = 'server/src/commit/migrations';

const CHANGE = `-- A change as a next version makes it while the version before works on: nothing that it uses goes away.
alter table accounts add column drilled text;
alter table orders add column drilled text not null default 'no';
create index orders_drilled on orders (marketplace_id, drilled) where drilled <> 'no';
`;

export type NextVersion = { readonly main: string; readonly migration: string };

export const makeNextVersion = async (stage: Stage): Promise<NextVersion> => {
  const folder = await stage.folder();
  await cp(path.join(ROOT, 'server'), path.join(folder, 'server'), { recursive: true });
  await cp(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const known = (await readdir(path.join(ROOT, MIGRATIONS))).filter((name) => name.endsWith('.sql'));
  const migration = `${String(known.length + 1).padStart(4, '0')}_of_the_drill`;
  await writeFile(path.join(folder, MIGRATIONS, `${migration}.sql`), CHANGE);
  return { main: path.join(folder, 'server/src/main.ts'), migration };
};
