// Settings of the source of the key-encryption keys: the settings themselves, a command, or a PKCS#11 token.

import { duration, oneOf, words } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

const path = words({ pattern: /^\/[^\0]*$/, expects: 'an absolute path' });
const label = words({ pattern: /^[A-Za-z0-9_-]{1,32}$/, expects: 'one to 32 letters, digits, _ and -' });
const commandLine = words({
  pattern: /^\/\S*( +\S+)*$/,
  expects: 'the absolute path of a program and its arguments, separated by spaces; no quotes and no shell',
});

export const KEY_SETTINGS = {
  walletKeys: {
    source: setting({
      name: 'WALLET_KEK_SOURCE',
      parser: oneOf(['settings', 'command', 'pkcs11']),
      default: 'settings',
      meaning:
        'Where the keys come from that encrypt the secrets of custodial wallets: WALLET_KEK, the output of WALLET_KEK_COMMAND, or a PKCS#11 token that never gives them away. Keys in WALLET_KEK still decrypt, so that a service can move from one source to another.',
      example: 'command',
    }),
    command: optionalSetting({
      name: 'WALLET_KEK_COMMAND',
      parser: commandLine,
      unset: 'needed with WALLET_KEK_SOURCE=command',
      meaning:
        'Prints the keys in the form of WALLET_KEK. It runs at the start and when a key is looked for, without a shell. Its output is never logged.',
      example: '/usr/bin/vault kv get -field=kek secret/holdfast',
    }),
    commandTimeoutMs: setting({
      name: 'WALLET_KEK_COMMAND_TIMEOUT_S',
      parser: duration({ unit: 's', min: 1, max: 300 }),
      default: '30',
      meaning: 'How long WALLET_KEK_COMMAND and WALLET_KEK_PKCS11_PIN_COMMAND may take. Then they are stopped.',
      example: '60',
    }),
    beatMs: setting({
      name: 'WALLET_KEY_BEAT_S',
      parser: duration({ unit: 's', min: 1, max: 60 }),
      default: '5',
      meaning:
        'How often a server tells the others which keys it has. A rotation waits for every server that was heard of in the last six of these times.',
      example: '2',
    }),
    pkcs11Module: optionalSetting({
      name: 'WALLET_KEK_PKCS11_MODULE',
      parser: path,
      unset: 'needed with WALLET_KEK_SOURCE=pkcs11',
      meaning: 'The PKCS#11 library of the token.',
      example: '/usr/lib/softhsm/libsofthsm2.so',
    }),
    pkcs11Token: optionalSetting({
      name: 'WALLET_KEK_PKCS11_TOKEN',
      parser: label,
      unset: 'needed with WALLET_KEK_SOURCE=pkcs11',
      meaning: 'The label of the token.',
      example: 'holdfast',
    }),
    pkcs11KeyLabel: setting({
      name: 'WALLET_KEK_PKCS11_KEY_LABEL',
      parser: label,
      default: 'holdfast-kek',
      meaning:
        'The keys on the token have this label, a dash and a version: holdfast-kek-1, holdfast-kek-2. They are AES keys of 256 bits; the highest version is the newest.',
      example: 'wallets',
    }),
    pkcs11PinFile: optionalSetting({
      name: 'WALLET_KEK_PKCS11_PIN_FILE',
      parser: path,
      unset: 'WALLET_KEK_PKCS11_PIN_COMMAND is used',
      meaning: 'A file whose first line is the PIN of the token.',
      example: '/run/secrets/token-pin',
    }),
    pkcs11PinCommand: optionalSetting({
      name: 'WALLET_KEK_PKCS11_PIN_COMMAND',
      parser: commandLine,
      unset: 'WALLET_KEK_PKCS11_PIN_FILE is used',
      meaning: 'Prints the PIN of the token. It runs once, at the start, without a shell. Its output is never logged.',
      example: '/usr/bin/vault kv get -field=pin secret/holdfast',
    }),
  },
};
