// `npm run cluster -- --source`: what was built is taken from the cache by the next start, and built again when the source has changed. The
// source here is a folder with the steps of Citus's and without its code, so that a build takes a moment.

import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildPrograms } from '../../tools/distributed/build.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';

/** What a build needs. */
const NO_CITUS = 'no PostgreSQL with its developer files, or no make';
const MISSING = /No PostgreSQL for which Citus can be built|make failed/;

/** Each step writes its name into a file beside the source, which a build does not change. */
const MAKEFILE = `include Made.mk
extension:
\techo extension >> $(LOG)
install-extension:
\tmkdir -p $(DESTDIR)$(shell $(PG_CONFIG) --sharedir)/extension
\ttouch $(DESTDIR)$(shell $(PG_CONFIG) --sharedir)/extension/citus.control
`;

const openSource = async (t: TestContext) => {
  const folder = await temporaryFolder(t);
  const log = path.join(await temporaryFolder(t), 'steps');
  await writeFile(log, '');
  await writeFile(path.join(folder, 'configure'), `#!/bin/sh\necho LOG=${log} > Made.mk\necho configure >> ${log}\n`);
  await chmod(path.join(folder, 'configure'), 0o755);
  await writeFile(path.join(folder, 'Makefile'), MAKEFILE);
  const cache = await temporaryFolder(t);
  const lines: string[] = [];
  return {
    folder,
    lines,
    steps: async () => (await readFile(log, 'utf8')).trim().split('\n').filter(Boolean),
    build: () =>
      buildPrograms({ source: folder, cache, signal: t.signal, say: (line) => lines.push(line) }).catch(
        (error: Error) => {
          if (!MISSING.test(error.message)) throw error;
          return null;
        },
      ),
  };
};

test('a second start takes what the first one built, and a changed source is built again', async (t) => {
  const source = await openSource(t);
  const first = await source.build();
  if (first === null) return t.skip(NO_CITUS);
  assert.deepEqual(await source.steps(), ['configure', 'extension']);
  assert.deepEqual(await source.build(), first);
  assert.deepEqual(await source.steps(), ['configure', 'extension']);
  assert.equal(source.lines.length, 1);
  await writeFile(
    path.join(source.folder, 'configure'),
    `${await readFile(path.join(source.folder, 'configure'), 'utf8')}\n`,
  );
  const third = await source.build();
  assert.notEqual(third?.postgres, first.postgres);
  assert.deepEqual(await source.steps(), ['configure', 'extension', 'configure', 'extension']);
});

test('a build that fails leaves nothing in the cache, and is tried again', async (t) => {
  const source = await openSource(t);
  if ((await source.build()) === null) return t.skip(NO_CITUS);
  await writeFile(path.join(source.folder, 'configure'), '#!/bin/sh\necho the reason; exit 1\n');
  const failure = /Citus was not built: configure failed\.\nthe reason/;
  await assert.rejects(source.build(), failure);
  await assert.rejects(source.build(), failure);
});
