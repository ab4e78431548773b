// What the doctor says about the key-encryption keys, by what the servers and the rows show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessWalletKeys } from '../../server/src/programs/doctor/wallet-key-checks.ts';

type Status = Parameters<typeof assessWalletKeys>[0];

const server = { id: 'a', host: 'a (process 1)', keyIds: ['1'], sealingKeyId: '1', confirmedKeyId: null, seenAt: '' };
const calm: Status = {
  phase: 'idle',
  sealingKeyId: '2',
  announcedKeyId: null,
  finishedAt: null,
  keys: [
    { keyId: '2', wallets: 5, credentials: 1, removable: false },
    { keyId: '1', wallets: 0, credentials: 0, removable: true },
  ],
  servers: [server],
};
const seen = (status: Partial<Status>, heldKeyIds: readonly string[] = ['2', '1']) =>
  assessWalletKeys({ ...calm, ...status }, { heldKeyIds, setting: 'WALLET_KEK' });

test('the doctor names a key that no secret needs, one that is lacking, and the servers that a rotation waits for', () => {
  const unused = seen({});
  assert.equal(unused.state, 'ok');
  assert.match(unused.detail, /No secret needs these key-encryption keys any more: 1\. Remove them from WALLET_KEK/);
  assert.match(seen({}, ['2']).detail, /each of them is needed/);
  const added = { keyId: '3', wallets: 0, credentials: 0, removable: true };
  const ready = seen({ keys: [added, calm.keys[0]!] }, ['3', '2']);
  assert.deepEqual([ready.state, /holdfast wallets rotate/.test(ready.detail)], ['ok', true], ready.detail);
  assert.doesNotMatch(ready.detail, /Remove/);
  const lacking = seen({}, ['1']);
  assert.equal(lacking.state, 'failed');
  assert.match(lacking.detail, /WALLET_KEK lacks: 2 \(5 wallets, 1 provider credentials\)/);
  const waiting = seen({ phase: 'announced', announcedKeyId: '3' });
  assert.equal(waiting.state, 'warning');
  assert.match(waiting.detail, /to the key-encryption key 3 waits for these servers: a \(process 1\)/);
  assert.match(seen({ phase: 'resealing' }).detail, /A rotation runs/);
});
