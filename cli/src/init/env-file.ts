// The file of settings that `init` writes: fresh secrets, and the names of the settings that the operator has to fill in.

import { randomBytes } from 'node:crypto';

export type Providers = 'real' | 'sandbox';

export type Deployment = {
  /** Address for browsers and for the payment provider; empty: not known yet. */
  readonly publicUrl: string;
  readonly providers: Providers;
};

type Line = { readonly name: string; readonly value: string };

type Section = { readonly title: string; readonly lines: readonly Line[] };

const hex = (): string => randomBytes(32).toString('hex');

/** Never made again for an installation that has them: without WALLET_KEK the money in the wallets cannot be moved. */
const SECRETS: Readonly<Record<string, () => string>> = {
  DATABASE_PASSWORD: hex,
  MASTER_KEY: hex,
  JWT_SECRET: hex,
  WALLET_KEK: () => `1:${randomBytes(32).toString('base64')}`,
  METRICS_TOKEN: hex,
};

/** What a server with real outside systems needs besides, in the order of the page of settings. */
export const PROVIDER_SETTINGS: readonly string[] = [
  ...['ESCROW_PROVIDER_URL', 'ESCROW_PROVIDER_API_KEY', 'ESCROW_WEBHOOK_SECRET'],
  ...['ESCROW_CODE_HASH_SINGLE', 'ESCROW_CODE_HASH_MULTI'],
  ...['PAYMENT_PROVIDER_URL', 'PAYMENT_PROVIDER_KEY', 'PAYMENT_PROVIDER_SECRET', 'PAYMENT_PROVIDER_PAYER_URL'],
  'PAYMENT_WEBHOOK_SECRET',
  ...['LEDGER_URL', 'LEDGER_RPC_URL', 'LEDGER_NETWORK_PASSPHRASE', 'LEDGER_ASSET_ISSUER'],
];

const sectionsOf = ({ publicUrl, providers }: Deployment): Section[] => [
  {
    title:
      'Secrets. Keep a copy of WALLET_KEK apart from the backups: without it the money in the wallets cannot be moved.',
    lines: Object.entries(SECRETS).map(([name, make]) => ({ name, value: make() })),
  },
  {
    title: 'The address of this server for browsers, and how many proxies stand in front of it.',
    lines: [
      { name: 'PUBLIC_URL', value: publicUrl },
      { name: 'TRUST_PROXY', value: '1' },
    ],
  },
  {
    title: 'Simulators instead of the outside systems: play money only, and never beside real money.',
    lines: [{ name: 'SANDBOX', value: providers === 'sandbox' ? 'on' : 'off' }],
  },
  ...(providers === 'real'
    ? [
        {
          title:
            'The outside systems. An empty setting counts as unset; a running server describes each one at /docs/settings.',
          lines: PROVIDER_SETTINGS.map((name) => ({ name, value: '' })),
        },
      ]
    : []),
];

/** The settings of an existing file, as compose reads it; comments and other lines are left out. */
export const readEnv = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*(.*)$/gm)].map(([, name, value]) => [
      name!,
      value!.trimEnd(),
    ]),
  );

type EnvFile = {
  readonly text: string;
  /** Settings that are still empty. */
  readonly unset: readonly string[];
};

const printed = ({ title, lines }: Section): string =>
  [`# ${title}`, ...lines.map(({ name, value }) => `${name}=${value}`)].join('\n');

/** The text that exists stays as it is, to the letter; what it lacks follows at its end. */
export const envFile = (deployment: Deployment, existing: string): EnvFile => {
  const known = readEnv(existing);
  const isMissing = ({ name, value }: Line): boolean => !known.get(name) && (value !== '' || !known.has(name));
  const sections = sectionsOf(deployment);
  const added = sections
    .map(({ title, lines }) => ({ title, lines: lines.filter(isMissing) }))
    .filter(({ lines }) => lines.length > 0);
  const kept = existing.trimEnd();
  const text = [...(kept === '' ? [] : [kept]), ...added.map(printed)].join('\n\n');
  const values = sections.flatMap(({ lines }) => lines.map(({ name, value }) => [name, known.get(name) || value]));
  return { text: `${text}\n`, unset: values.filter(([, value]) => value === '').map(([name]) => name!) };
};
