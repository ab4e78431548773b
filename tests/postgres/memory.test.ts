// The memory that the embedded PostgreSQL may use for its pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedBuffers, toArguments } from '../../server/src/postgres/settings.ts';

const MIB = 2 ** 20;

test('pages get a sixteenth of the memory, at least 256 MB and at most 1 GB', () => {
  const given = [512, 4_096, 8_192, 12_000, 16_384, 262_144].map((mib) => sharedBuffers(mib * MIB));
  assert.deepEqual(given, ['256MB', '256MB', '512MB', '750MB', '1024MB', '1024MB']);
});

test('the memory of this machine decides, unless the caller gives another value', () => {
  const valueIn = (args: string[]): string | undefined => args.find((arg) => arg.startsWith('shared_buffers='));
  const given = valueIn(toArguments()) ?? '';
  const mib = Number(/^shared_buffers=(\d+)MB$/.exec(given)?.[1]);
  assert.ok(mib >= 256 && mib <= 1_024, given);
  assert.equal(valueIn(toArguments({ shared_buffers: '16MB' })), 'shared_buffers=16MB');
});
