// The figures of docs/benchmarks.md are printed into blocks between hand-written text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeBlock } from '../../tools/measure/page-blocks.ts';

const PAGE = 'Before\n\n<!-- bench:one -->\nold\n<!-- /bench:one -->\n\nAfter\n';

test('a block is replaced, and the text around it stays', () => {
  assert.equal(
    placeBlock(PAGE, { name: 'bench:one', text: '\nnew\n\n' }),
    'Before\n\n<!-- bench:one -->\nnew\n<!-- /bench:one -->\n\nAfter\n',
  );
});

test('a block that the page lacks is added at its end', () => {
  assert.equal(
    placeBlock(PAGE, { name: 'bench:two', text: 'new' }),
    `${PAGE}\n<!-- bench:two -->\nnew\n<!-- /bench:two -->\n`,
  );
});

test('a page with one end of a block is refused', () => {
  assert.throws(() => placeBlock('<!-- bench:one -->\nold', { name: 'bench:one', text: 'new' }), /only one end/);
});
