// The files of deploy/patroni: consistent in themselves, and what the drill changes in them are only addresses, folders and secrets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { haproxySettings, newSecrets, patroniSettings } from '../../tools/patroni/settings.ts';
import { readText } from '../tidy/sources.ts';

const PLACE = { name: 'db-2', dataDir: '/data/db-2', port: 15_432, restPort: 18_008 };
const OTHER = { name: 'db-1', dataDir: '/data/db-1', port: 15_431, restPort: 18_007 };

/** The value of a line of the file, as a number. */
const numberOf = (text: string, name: string): number => Number(new RegExp(`^ +${name}: (\\d+)$`, 'm').exec(text)?.[1]);

test('the lease is as long as Patroni asks for, and an acknowledged commit is on two servers', () => {
  const text = readText('deploy/patroni/patroni.yml');
  assert.ok(numberOf(text, 'ttl') >= numberOf(text, 'loop_wait') + 2 * numberOf(text, 'retry_timeout'));
  assert.match(text, /^ {4}synchronous_mode: true$/m);
});

test('the settings of a drill differ from the deployed ones in addresses, folders and secrets only', async () => {
  const deployed = readText('deploy/patroni/patroni.yml');
  const settings = await patroniSettings(PLACE, { etcdPort: 12_379, binDir: '/bin', secrets: newSecrets() });
  assert.doesNotMatch(settings, /^[^#]*(CHANGE_|db-1|\/var\/)/m);
  const names = (text: string): string[] => [...text.matchAll(/^ *(- )?([\w-]+):?/gm)].map(([, , name]) => name!);
  assert.deepEqual(names(settings), names(deployed));
  const changed = deployed.split('\n').filter((line) => !settings.split('\n').includes(line) && !line.startsWith('#'));
  for (const line of changed) {
    assert.match(
      line,
      /name:|hosts:|listen:|connect_address:|_dir|pgpass:|password:|unix_socket|replicator 10\./,
      line,
    );
  }
});

test('HAProxy of a drill leads to the two servers, and asks their Patroni', async () => {
  const settings = await haproxySettings(15_000, [OTHER, PLACE]);
  assert.match(settings, /server db-1 127\.0\.0\.1:15431 check port 18007/);
  assert.match(settings, /server db-2 127\.0\.0\.1:15432 check port 18008/);
  assert.match(settings, /bind 127\.0\.0\.1:15000/);
  await assert.rejects(haproxySettings(1, [{ ...PLACE, name: 'db-9' }]), /no longer has "db-9:5432/);
});
