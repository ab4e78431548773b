// The source of the key-encryption keys that the settings choose. Keys of WALLET_KEK open in any case, so that a service can move to a
// command or a token and its rows are resealed afterwards.

import { readFile } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { isWeakKek, walletKeks as kekList } from '../../config/parsers.ts';
import { loadSecrets } from '../../config/secrets.ts';
import type { Kek } from './key-keeper.ts';
import { type HeldKey, heldKek, type KeySource, settingsSource } from './key-ring.ts';
import { tokenSource } from './pkcs11-token.ts';
import { readSecretCommand } from './secret-command.ts';

type WalletKeySettings = Config['walletKeys'];

const commandKeks = async ({ command, commandTimeoutMs }: WalletKeySettings): Promise<readonly Kek[]> => {
  const text = await readSecretCommand(command!, { setting: 'WALLET_KEK_COMMAND', timeoutMs: commandTimeoutMs });
  const keks = kekList.read(text);
  if (keks === undefined) {
    throw new Error(
      `WALLET_KEK_COMMAND printed ${text.length} characters that are not keys: it has to print ${kekList.expects}.`,
    );
  }
  if (keks.some(isWeakKek)) {
    throw new Error(
      'WALLET_KEK_COMMAND printed a key that can be guessed: use 32 random bytes (openssl rand -base64 32).',
    );
  }
  return keks;
};

const readPin = async (settings: WalletKeySettings): Promise<string> => {
  const { pkcs11PinFile: file, pkcs11PinCommand: command, commandTimeoutMs: timeoutMs } = settings;
  if (file === null) return readSecretCommand(command!, { setting: 'WALLET_KEK_PKCS11_PIN_COMMAND', timeoutMs });
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`WALLET_KEK_PKCS11_PIN_FILE ${file} cannot be read (${error.code}).`);
  });
  return text.split('\n')[0]!.trim();
};

const refuseContradictions = (chosen: readonly Kek[], former: readonly Kek[]): void => {
  for (const { version, key } of former) {
    const same = chosen.find((one) => one.version === version);
    if (same && !same.key.equals(key)) {
      throw new Error(
        `WALLET_KEK and WALLET_KEK_COMMAND have different keys of version ${version}: give one a new version.`,
      );
    }
  }
};

const withFormer = (keys: readonly HeldKey[], former: readonly Kek[]): HeldKey[] => [
  ...keys,
  ...former.map(heldKek).filter(({ keyId }) => !keys.some((key) => key.keyId === keyId)),
];

type Options = {
  readonly settings: WalletKeySettings;
  /** The keys of WALLET_KEK or of the data folder; read again with each load. */
  settingsKeks(): Promise<readonly Kek[]>;
};

export const openKeySource = ({ settings, settingsKeks }: Options): KeySource => {
  if (settings.source === 'settings') {
    return { setting: 'WALLET_KEK', load: async () => settingsSource(await settingsKeks()).load() };
  }
  if (settings.source === 'command') {
    return {
      setting: 'the output of WALLET_KEK_COMMAND',
      async load() {
        const former = await settingsKeks();
        const chosen = await commandKeks(settings);
        refuseContradictions(chosen, former);
        return withFormer(chosen.map(heldKek), former);
      },
    };
  }
  const token = tokenSource({
    module: settings.pkcs11Module!,
    token: settings.pkcs11Token!,
    keyLabel: settings.pkcs11KeyLabel,
    pin: () => readPin(settings),
  });
  return { ...token, load: async () => withFormer(await token.load(), await settingsKeks()) };
};

/** The source of a server or a program. Keys in the data folder are read again with each load, those of the environment cannot change. */
export const keySourceOf = (config: Config): KeySource => {
  const kekIsElsewhere = config.walletKeys.source !== 'settings';
  return openKeySource({
    settings: config.walletKeys,
    settingsKeks: async () =>
      config.keys.walletKeks ??
      (await loadSecrets({ dataDir: config.data.dir, keys: config.keys, kekIsElsewhere })).walletKeks,
  });
};
