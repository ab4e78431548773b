// Chooses the server and the key: options first, then the environment, then the development key in the server's data folder, then
// the profile of `login`. A stored key is sent only to the address that it was stored for.

import { dataFolder, devKeyFile, keptMasterKey, loginFile, type Profile, readProfile } from './profiles.ts';

export type GlobalOptions = {
  readonly url?: string;
  readonly key?: string;
  readonly marketplace?: string;
  readonly json?: boolean;
  readonly ids?: boolean;
  readonly verbose?: boolean;
};

export type Settings = {
  readonly url: string;
  readonly key: string | null;
  readonly marketplaceId: string | null;
  /** The source of each setting, for people. */
  readonly from: { readonly url: string; readonly key: string; readonly marketplace: string };
};

const DEFAULT_URL = 'http://127.0.0.1:4000';

const sameServer = (one: string, other: string): boolean => {
  try {
    const a = new URL(one);
    const b = new URL(other);
    return a.origin === b.origin && a.pathname.replace(/\/+$/, '') === b.pathname.replace(/\/+$/, '');
  } catch {
    return false;
  }
};

type Kept = { readonly profile: Profile; readonly file: string };

const findKept = async (env: NodeJS.ProcessEnv, url: string | undefined): Promise<Kept | null> => {
  for (const file of [devKeyFile(dataFolder(env)), loginFile(env)]) {
    const profile = await readProfile(file);
    if (profile && (url === undefined || sameServer(profile.url, url))) return { profile, file };
  }
  return null;
};

type Found<Value> = { readonly value: Value; readonly from: string };

const first = <Value>(
  candidates: readonly (Found<Value | undefined> | null)[],
  otherwise: Found<Value>,
): Found<Value> => {
  const found = candidates.find((each) => each?.value !== undefined && each.value !== '');
  return found ? { value: found.value!, from: found.from } : otherwise;
};

export const readSettings = async (options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<Settings> => {
  const asked = options.url ?? (env.HOLDFAST_URL || undefined);
  const kept = await findKept(env, asked);
  const url = first<string>(
    [
      { value: options.url, from: '--url' },
      { value: env.HOLDFAST_URL, from: 'HOLDFAST_URL' },
      kept && { value: kept.profile.url, from: kept.file },
    ],
    { value: DEFAULT_URL, from: 'the default' },
  );
  const key = first<string | null>(
    [
      { value: options.key, from: '--key' },
      { value: env.HOLDFAST_KEY, from: 'HOLDFAST_KEY' },
      kept && { value: kept.profile.key, from: kept.file },
    ],
    { value: null, from: 'not set' },
  );
  const marketplace = first<string | null>(
    [
      { value: options.marketplace, from: '--marketplace' },
      { value: env.HOLDFAST_MARKETPLACE, from: 'HOLDFAST_MARKETPLACE' },
      // A stored marketplace belongs to its stored key.
      kept && key.from === kept.file ? { value: kept.profile.marketplaceId, from: kept.file } : null,
    ],
    { value: null, from: 'the key' },
  );
  return {
    url: url.value,
    key: key.value,
    marketplaceId: marketplace.value,
    from: { url: url.from, key: key.from, marketplace: marketplace.from },
  };
};

/** For the few calls that need the master key: the one in the data folder of the development server, unless a key was given. */
export const withMasterKey = async (settings: Settings, env: NodeJS.ProcessEnv): Promise<Settings> => {
  const folder = dataFolder(env);
  if (settings.from.key !== devKeyFile(folder)) return settings;
  const key = env.MASTER_KEY || (await keptMasterKey(folder));
  return key ? { ...settings, key, from: { ...settings.from, key: `the master key in ${folder}` } } : settings;
};
