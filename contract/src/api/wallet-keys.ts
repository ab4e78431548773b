// The key-encryption keys of the service, for the operator. No answer contains a key.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Nullable, Strict, Timestamp } from './fields.ts';

const KeyId = (description: string) => Type.String({ description, examples: ['2'] });

export const WalletKeys = Type.Object({
  phase: Type.Enum(['idle', 'announced', 'resealing'], {
    description:
      '`announced`: the next key waits until every server has it. `resealing`: it seals, and older secrets are sealed again. `idle`: no rotation runs.',
  }),
  sealingKeyId: KeyId('The key that seals new secrets.'),
  announcedKeyId: Nullable(KeyId('The key that seals next.')),
  finishedAt: Nullable(Timestamp('When the last rotation was finished; null before the first and while one runs.')),
  keys: Type.Array(
    Type.Object({
      keyId: KeyId('Id of the key: its version, or its label in the token.'),
      wallets: Type.Integer({ description: 'Wallets that this key has sealed.' }),
      credentials: Type.Integer({ description: 'Provider credentials that this key has sealed.' }),
      removable: Type.Boolean({
        description:
          'No secret in the database needs the key any more. Keep a copy for as long as you keep backups from before.',
      }),
    }),
  ),
  servers: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Id of the running server.' }),
      host: Type.String({ description: 'Host and process.' }),
      keyIds: Type.Array(Type.String(), { description: 'The keys that it has, the newest first.' }),
      sealingKeyId: KeyId('The key that it seals with.'),
      confirmedKeyId: Nullable(KeyId('The announced key that it has proved to have.')),
      seenAt: Timestamp('Its last heartbeat.'),
    }),
    { description: 'Running servers. A rotation waits for all of them.' },
  ),
});

export const getWalletKeys = endpoint({
  method: 'GET',
  path: '/wallet-keys',
  access: 'master',
  tag: 'Service',
  summary: 'Get key-encryption keys',
  description:
    'Which key seals, what each key has sealed, which servers have it, and which can be removed. Never a key.',
  status: 200,
  wrapping: 'plain',
  data: WalletKeys,
  errors: [],
});

export const rotateWalletKeys = endpoint({
  method: 'POST',
  path: '/wallet-keys/rotate',
  access: 'master',
  tag: 'Service',
  summary: 'Rotate the key-encryption key',
  description:
    'Announces a key that is in the source of the keys (WALLET_KEK_SOURCE). Every running server proves that it has the key; then it ' +
    'seals, and all secrets are sealed again while the service runs. Rotating to the key that seals now withdraws an announcement, ' +
    'or seals secrets again that another key has sealed since.',
  body: Strict({
    keyId: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_:/-]{1,200}$',
        description: 'Id of the key; without it the newest one of the source.',
        examples: ['2'],
      }),
    ),
  }),
  bodyOptional: true,
  status: 200,
  wrapping: 'plain',
  data: WalletKeys,
  errors: ['INVALID_STATE', 'WALLET_KEY_NOT_FOUND'],
});
