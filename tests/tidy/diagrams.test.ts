// Every diagram of the pages is drawn, and no drawing is left of a diagram that has changed.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { diagramName } from '../../server/src/http/docs/render.ts';
import { diagramSources } from '../../tools/print/print-diagrams.ts';
import { filesOf, readText } from './sources.ts';

const drawings = filesOf('docs/pictures/diagrams/*.svg');

test('every diagram of the pages has its drawing, and every drawing has its diagram', () => {
  const wanted = [...new Set(diagramSources().map(diagramName))];
  assert.ok(wanted.length > 5);
  assert.deepEqual(
    drawings.map((file) => path.basename(file, '.svg')),
    wanted.toSorted(),
    'see the first lines of tools/print/print-diagrams.ts',
  );
});

test('a drawing follows the theme and has nothing that the policy of the pages refuses', () => {
  for (const file of drawings) {
    const text = readText(file);
    assert.match(text, /var\(--ink,/, file);
    assert.doesNotMatch(text, /<style|<script|<foreignObject| style="| on\w+="|href="(?!#)/, file);
  }
});
