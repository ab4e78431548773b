// The checks that need only the settings. A secret is measured and never shown.

import { type Config, isLoopback } from '../../config/config.ts';
import { isDatabaseLocal, isReachable } from '../../config/reach.ts';
import { failed, fine, type Look, type Verdict, warning } from './verdict.ts';

/** The settings, and whether they start the simulators. */
export type Settings = { readonly config: Config; readonly sandboxIsOn: boolean };

type Row = { readonly name: string; look(settings: Settings): Look };

/** More than any shop needs: a rate above this is practically no limit. */
const RATE_PER_SECOND_MAX = 100;

const isReal = ({ providers }: Config): boolean => providers.ledgerUrl?.startsWith('https:') === true;

export const SETTINGS_CHECKS: readonly Row[] = [
  {
    name: 'tls',
    look: ({ config: { http } }) => {
      if (isLoopback(http.host)) return fine(`Only this machine can reach ${http.host}.`);
      if (http.trustProxy !== false) return fine('Others reach us through a proxy, which has to speak TLS.');
      return failed(
        `${http.host} can be reached by others and no proxy is trusted: keys and tokens cross the network in clear.`,
        'Put a proxy that speaks TLS in front and name it in TRUST_PROXY, or set HOST=127.0.0.1.',
      );
    },
  },
  {
    name: 'sandbox',
    look: ({ config, sandboxIsOn }) => {
      if (!sandboxIsOn) return fine('No twins are started.');
      if (!isReachable(config)) return fine('The twins are started, for this machine only.');
      return failed(
        'The twins are started and others can reach this server: whoever has a key can make play money.',
        'Set SANDBOX=off and the addresses of the real systems.',
      );
    },
  },
  {
    name: 'payment-webhook-secret',
    look: ({ config: { providers, adapters } }) => {
      if (providers.paymentUrl === null || adapters.paymentWebhookSecret !== null)
        return fine('Webhooks are verified.');
      return failed(
        'The payment provider is real and its webhooks are not verified: anybody could say that a top-up was paid.',
        'Set PAYMENT_WEBHOOK_SECRET to the one the provider shows.',
      );
    },
  },
  {
    name: 'escrow-webhook-secret',
    look: ({ config: { providers, adapters } }) => {
      if (providers.escrowUrl === null || adapters.escrowWebhookSecret !== null) return fine('Webhooks are verified.');
      return warning(
        'Webhooks of the escrow provider are hints only, each of which costs a look at the provider.',
        'Set ESCROW_WEBHOOK_SECRET if the provider signs its webhooks.',
      );
    },
  },
  {
    name: 'secrets',
    look: ({ config }) => {
      const weak = weakSecrets(config);
      if (weak.length === 0) return fine('No secret of the settings looks as if it could be guessed.');
      return failed(`Can be guessed: ${weak.join(', ')}.`, 'Replace each with a random one: openssl rand -hex 32.');
    },
  },
  {
    name: 'wallet-kek',
    look: ({ config }) => {
      if (config.keys.walletKeks !== null) return fine('WALLET_KEK is kept outside of the data folder.');
      if (!isReal(config)) return fine('WALLET_KEK is in the data folder; no real money is at stake.');
      return failed(
        'WALLET_KEK is only in the data folder: whoever loses that loses the wallets, and whoever copies it has them.',
        'Move WALLET_KEK from secrets.json into a secret store, set it as a setting, and keep a copy elsewhere.',
      );
    },
  },
  {
    name: 'order-routes-auth',
    look: ({ config: { orders } }) =>
      orders.needKey
        ? fine('Order, escrow and resolution routes need a key.')
        : failed(
            'ORDER_ROUTES_AUTH is off: anybody who can reach this server can release and refund orders.',
            'Have all clients send their key, then remove ORDER_ROUTES_AUTH.',
          ),
  },
  {
    name: 'escrow-init-auth',
    look: ({ config }) => {
      const { served, initAuth } = config.surfaceB;
      if (!served || initAuth === 'required' || !isReachable(config)) return fine('Nobody else can fund an escrow.');
      return warning(
        "ESCROW_INIT_AUTH is off: who learns a project's id can have its escrow funded from the owner's balance.",
        'Set ESCROW_INIT_AUTH=required, or SURFACE_B=off where it is not used.',
      );
    },
  },
  {
    name: 'rate-limit',
    look: ({ config: { rateLimit } }) => {
      const perSecond = Math.floor((rateLimit.max * 1_000) / rateLimit.windowMs);
      if (perSecond <= RATE_PER_SECOND_MAX)
        return fine(`${rateLimit.max} requests in ${rateLimit.windowMs / 1_000} s.`);
      return warning(
        `${perSecond} requests a second for every key and every address: keys and passwords can be tried at leisure.`,
        'Lower RATE_LIMIT_MAX, and give the keys that need more a rate of their own.',
      );
    },
  },
  {
    name: 'cors',
    look: ({ config: { http } }) => {
      const open = http.corsOrigins.filter(
        (origin) => origin.startsWith('http:') && !isLoopback(new URL(origin).hostname),
      );
      if (open.length === 0)
        return fine(`Pages of ${http.corsOrigins.length} origins may call from a browser; * never may.`);
      return warning(
        `Pages without TLS may call from a browser: ${open.join(', ')}.`,
        'Serve those pages over https and name them so in CORS_ORIGINS.',
      );
    },
  },
  {
    name: 'metrics',
    look: ({ config: { http, observe } }) => {
      const isOpen = isLoopback(http.host) && http.trustProxy !== false && observe.metricsToken === null;
      if (!isOpen) return fine('/metrics is closed to others.');
      return failed('A proxy stands in front and /metrics is open through it.', 'Set METRICS_TOKEN.');
    },
  },
  { name: 'database-tls', look: ({ config: { database } }) => databaseTls(database.url) },
];

export const examineSettings = (settings: Settings): Verdict[] =>
  SETTINGS_CHECKS.map(({ name, look }) => ({ name, ...look(settings) }));

// Which secrets of the settings could be guessed: too short, of too few characters, or made of words that everybody
// tries first. Gives names, never values.
const LENGTH_MIN = 32;
/** Of what follows a prefix of the form; 16 bytes in base64. */
const WEBHOOK_LENGTH_MIN = 22;
const DISTINCT_MIN = 8;

const TRIED_FIRST =
  /change-?me|password|passwort|example|default|secret-?key|master-?key$|qwerty|0123456789|123456|letmein/i;

const isWeak = (secret: string, lengthMin: number): boolean =>
  secret.length < lengthMin || new Set(secret).size < DISTINCT_MIN || TRIED_FIRST.test(secret);

export const weakSecrets = ({ keys, adapters, observe }: Config): string[] => {
  const afterPrefix = (secret: string | null): string | null => secret?.slice(secret.indexOf('whsec_') + 6) ?? null;
  const rows: readonly (readonly [string, string | null, number])[] = [
    ['MASTER_KEY', keys.masterKey, LENGTH_MIN],
    ...(keys.jwtSecrets ?? []).map((secret) => ['JWT_SECRET', secret, LENGTH_MIN] as const),
    ['METRICS_TOKEN', observe.metricsToken, LENGTH_MIN / 2],
    ['PAYMENT_WEBHOOK_SECRET', afterPrefix(adapters.paymentWebhookSecret), WEBHOOK_LENGTH_MIN],
    ['ESCROW_WEBHOOK_SECRET', afterPrefix(adapters.escrowWebhookSecret), WEBHOOK_LENGTH_MIN],
  ];
  const weak = rows.filter(([, secret, lengthMin]) => secret !== null && isWeak(secret, lengthMin));
  return [...new Set(weak.map(([name]) => name))];
};

// Whether the connection to the database is encrypted, decided by its URL, because the driver uses the URL.
const CHECKED = ['verify-full', 'verify-ca', 'require'];
const UNCHECKED = ['no-verify', 'prefer', 'allow'];

const REMEDY = 'Add sslmode=verify-full to DATABASE_URL, and sslrootcert where the authority is your own.';

export const databaseTls = (url: string | null): Look => {
  if (url === null) return fine('The embedded PostgreSQL answers at a socket in its own folder.');
  if (isDatabaseLocal(url)) return fine('The database is on this machine.');
  const mode = new URL(url).searchParams.get('sslmode') ?? '';
  if (CHECKED.includes(mode)) return fine(`The database is asked over TLS (sslmode=${mode}).`);
  if (UNCHECKED.includes(mode)) {
    return warning(`sslmode=${mode} does not check whom we talk to: somebody in between could read the books.`, REMEDY);
  }
  return failed('The database is on another machine and is asked without TLS.', REMEDY);
};
