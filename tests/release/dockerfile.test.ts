// How a Dockerfile and a .dockerignore are read for the check of the image. image.long.test.ts carries out ours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairsOf, readIgnore, stagesOf, wordsOf } from '../../tools/release/dockerfile.ts';
import { readText } from '../tidy/sources.ts';

test('stages, options, continued lines and comments are read', () => {
  const [first, second] = stagesOf(
    '# a\nFROM node:24 AS one\nRUN a \\\n  && b\n\nFROM one\nCOPY --from=one /app/ ./\nHEALTHCHECK --interval=1s --retries=3 \\\n  CMD ["x", "y z"]\n',
  );
  assert.deepEqual([first!.base, first!.name, second!.base, second!.name], ['node:24', 'one', 'one', null]);
  assert.equal(first!.steps[0]!.rest.replaceAll(/\s+/g, ' '), 'a && b');
  assert.deepEqual(second!.steps[0], { word: 'COPY', flags: { from: 'one' }, rest: '/app/ ./' });
  assert.deepEqual(second!.steps[1]!.flags, { interval: '1s', retries: '3' });
  assert.deepEqual(wordsOf(second!.steps[1]!.rest), ['x', 'y z']);
  assert.deepEqual(pairsOf('PATH=/a:/b   PORT=4000'), { PATH: '/a:/b', PORT: '4000' });
  assert.throws(() => stagesOf('FROM a\nONBUILD RUN b'), /does not know this instruction/);
  assert.throws(() => stagesOf('RUN a'), /has to be FROM/);
});

test('the last line of .dockerignore that fits decides, and ours shows the sources and hides what is built or private', () => {
  const sees = readIgnore('*\n!cli\n**/node_modules\n**/*.log\n');
  assert.deepEqual(
    ['cli/a.ts', 'tests/a.ts', 'cli/node_modules/b.js', 'cli/x/node_modules', 'cli/a.log'].filter(sees),
    ['cli/a.ts'],
  );
  const ours = readIgnore(readText('.dockerignore'));
  const seen = ['LICENSE', 'docs/guide/01-users.md', 'server/src/main.ts', 'console/src/main.tsx', 'package-lock.json'];
  assert.deepEqual(seen.filter(ours), seen);
  const hidden = ['.git/config', '.data/secrets.json', 'tests/run.ts', 'console/dist/index.html', 'dist/a.tgz', '.env'];
  assert.deepEqual(hidden.filter(ours), []);
});
