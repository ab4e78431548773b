// The checks that need only the settings. A secret is never shown.

import { type Config, isLoopback } from '../../config/config.ts';
import { isDatabaseLocal, isReachable, isReal, servesSurfaceB } from '../../config/reach.ts';
import { type CheckResult, failed, fine, type Verdict, warning } from './verdict.ts';

/** The settings, and whether they start the simulators. */
export type Settings = { readonly config: Config; readonly sandboxIsOn: boolean };

type Row = { readonly name: string; check(settings: Settings): CheckResult };

/** More than a marketplace needs: a higher rate is practically no limit. */
const RATE_PER_SECOND_MAX = 100;

const hasRealLedger = ({ providers }: Config): boolean => isReal(providers.ledgerUrl);

const LENGTH_MIN = 32;
/** Length after the prefix whsec_: 16 bytes in base64. */
const WEBHOOK_LENGTH_MIN = 22;
const DISTINCT_MIN = 8;

const COMMON_WORDS =
  /change-?me|password|passwort|example|default|secret-?key|master-?key$|qwerty|0123456789|123456|letmein/i;

const isWeak = (secret: string, lengthMin: number): boolean =>
  secret.length < lengthMin || new Set(secret).size < DISTINCT_MIN || COMMON_WORDS.test(secret);

/** Names, never values, of the secrets that could be guessed: too short, too few characters, or made of common words. */
const weakSecrets = ({ keys, adapters, observe }: Config): string[] => {
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

/** A command that prints a good value. A provider that creates the secret of its webhooks itself shows it instead. */
const randomFor = (name: string): string =>
  name.endsWith('_WEBHOOK_SECRET')
    ? 'whsec_$(openssl rand -base64 32), or the secret that the provider shows'
    : '$(openssl rand -hex 32)';

const VERIFIED = ['verify-full', 'verify-ca', 'require'];
const UNVERIFIED = ['no-verify', 'prefer', 'allow'];

const TLS_REMEDY =
  'Add sslmode=verify-full to DATABASE_URL, and sslrootcert if you use your own certificate authority.';

/** Whether the connection to the database is encrypted. The URL decides it, because the driver reads the URL. */
const databaseTls = (url: string | null): CheckResult => {
  if (url === null) return fine('The embedded PostgreSQL is used over a socket in its own folder.');
  if (isDatabaseLocal(url)) return fine('The database is on this machine.');
  const mode = new URL(url).searchParams.get('sslmode') ?? '';
  if (VERIFIED.includes(mode)) return fine(`The connection to the database uses TLS (sslmode=${mode}).`);
  if (UNVERIFIED.includes(mode)) {
    return warning(
      `sslmode=${mode} does not verify the database server: an attacker in the network could read the books.`,
      TLS_REMEDY,
    );
  }
  return failed('The database is on another machine and the connection does not use TLS.', TLS_REMEDY);
};

type Share = readonly [name: string, value: number];

/** Pairs of settings of which the first should limit a part of the second, and does not. */
const sharesWithoutEffect = ({ events, heavyReads }: Config): [string, string][] => {
  const perMarketplace: Share = ['SSE_CONNECTIONS_PER_MARKETPLACE_MAX', events.connectionsPerMarketplaceMax];
  const pairs: readonly (readonly [Share, Share])[] = [
    [['SSE_CONNECTIONS_PER_KEY_MAX', events.connectionsPerKeyMax], perMarketplace],
    [perMarketplace, ['SSE_CONNECTIONS_MAX', events.connectionsMax]],
    [
      ['HEAVY_READS_PER_MARKETPLACE_MAX', heavyReads.perMarketplaceMax],
      ['HEAVY_READS_MAX', heavyReads.max],
    ],
  ];
  return pairs.filter(([part, whole]) => part[1] >= whole[1]).map(([part, whole]) => [part[0], whole[0]]);
};

export const SETTINGS_CHECKS: readonly Row[] = [
  {
    name: 'tls',
    check: ({ config: { http } }) => {
      if (isLoopback(http.host)) return fine(`Only this machine can reach ${http.host}.`);
      if (http.trustProxy !== false) return fine('Clients reach the server through a proxy, which has to use TLS.');
      return failed(
        `Other machines can reach ${http.host} and no proxy is trusted: keys and tokens are sent without encryption.`,
        'Put a proxy with TLS in front of the server and name it in TRUST_PROXY, or set HOST=127.0.0.1.',
      );
    },
  },
  {
    name: 'sandbox',
    check: ({ config, sandboxIsOn }) => {
      if (!sandboxIsOn) return fine('The sandbox is off.');
      if (!isReachable(config)) return fine('The sandbox is on, and only this machine can reach the server.');
      return failed(
        'The sandbox is on and other machines can reach this server: every client with a key can create simulated money.',
        'Set SANDBOX=off and the addresses of the real outside systems.',
      );
    },
  },
  {
    name: 'payment-webhook-secret',
    check: ({ config: { providers, adapters } }) => {
      if (adapters.paymentWebhookSecret !== null) return fine('Webhooks are verified.');
      if (providers.paymentUrl === null) return fine('No payment provider is set.');
      return failed(
        'The payment provider is real and its webhooks are not verified: anyone could report a top-up as paid.',
        'Set PAYMENT_WEBHOOK_SECRET to the secret that the provider shows.',
      );
    },
  },
  {
    name: 'escrow-webhook-secret',
    check: ({ config: { providers, adapters } }) => {
      if (adapters.escrowWebhookSecret !== null) return fine('Webhooks are verified.');
      if (providers.escrowUrl === null) return fine('No escrow provider is set.');
      return warning(
        'Webhooks of the escrow provider are not verified: each one is only a hint and costs a call to the provider.',
        'Set ESCROW_WEBHOOK_SECRET if the provider signs its webhooks.',
      );
    },
  },
  {
    name: 'escrow-webhook-check',
    check: ({ config: { providers, adapters } }) => {
      if (adapters.escrowWebhookCheck === 'verify')
        return fine('Webhooks about money need the provider and the ledger.');
      if (!providers.escrowUrl?.startsWith('https:') || adapters.escrowWebhookSecret === null)
        return fine('No webhook of a real escrow provider is believed for its signature alone.');
      return failed(
        'The escrow provider is real and its signature alone moves money in the books: anyone who has the secret could release every order.',
        'Set ESCROW_WEBHOOK_CHECK=verify.',
      );
    },
  },
  {
    name: 'secrets',
    check: ({ config }) => {
      const weak = weakSecrets(config);
      if (weak.length === 0) return fine('No secret in the settings is easy to guess.');
      return failed(
        `Can be guessed: ${weak.join(', ')}.`,
        `Replace each secret with a random one: ${weak.map((name) => `${name}=${randomFor(name)}`).join(', ')}.`,
      );
    },
  },
  {
    name: 'wallet-kek',
    check: ({ config }) => {
      const { source } = config.walletKeys;
      if (source === 'pkcs11') return fine('A token holds the keys of the wallets and never gives them away.');
      if (source === 'command')
        return fine('WALLET_KEK_COMMAND gives the keys of the wallets; the data folder has none.');
      if (config.keys.walletKeks !== null) return fine('WALLET_KEK is stored outside the data folder.');
      if (!hasRealLedger(config))
        return fine('WALLET_KEK is in the data folder. The ledger is not real, so no real money is at risk.');
      return failed(
        'WALLET_KEK is only in the data folder: if the folder is lost, the wallets are lost, and a thief of the folder can open them.',
        'Move WALLET_KEK from secrets.json to a secret store, pass it as a setting, and keep a second copy.',
      );
    },
  },
  {
    name: 'order-routes-auth',
    check: ({ config: { orders } }) =>
      orders.needKey
        ? fine('Order, escrow and resolution routes need a key.')
        : failed(
            'ORDER_ROUTES_AUTH is off: anyone who can reach this server can release and refund orders.',
            'Make all clients send their key, then remove ORDER_ROUTES_AUTH.',
          ),
  },
  {
    name: 'escrow-init-auth',
    check: ({ config }) => {
      if (!servesSurfaceB(config) || config.surfaceB.initAuth === 'required' || !isReachable(config))
        return fine('Only its owner can fund the escrow of a project, or only this machine can reach the server.');
      return warning(
        "ESCROW_INIT_AUTH is off: anyone who knows a project's id can fund its escrow from the owner's balance.",
        'Set ESCROW_INIT_AUTH=required, or SURFACE_B=off if Surface B is not used.',
      );
    },
  },
  {
    name: 'rate-limit',
    check: ({ config: { rateLimit } }) => {
      const perSecond = Math.floor((rateLimit.max * 1_000) / rateLimit.windowMs);
      if (perSecond <= RATE_PER_SECOND_MAX)
        return fine(`The limit is ${rateLimit.max} requests in ${rateLimit.windowMs / 1_000} s.`);
      return warning(
        `Every key and every address may send ${perSecond} requests per second: keys and passwords can be guessed quickly.`,
        'Lower RATE_LIMIT_MAX, and give single keys a higher limit of their own.',
      );
    },
  },
  {
    name: 'shares',
    check: ({ config }) => {
      const open = sharesWithoutEffect(config);
      if (open.length === 0) return fine('No key and no marketplace can take all streams or all heavy reads.');
      return warning(
        `One of them can take the places of all others: ${open.map(([part, whole]) => `${part} is not below ${whole}`).join('; ')}.`,
        'Lower the first setting of each pair, or raise the second.',
      );
    },
  },
  {
    name: 'hints',
    check: ({ config: { adapters } }) => {
      const { hintsPerMinute, escrowRatePerMinute } = adapters;
      if (escrowRatePerMinute === 0 || hintsPerMinute * 2 <= escrowRatePerMinute)
        return fine('Unsigned escrow webhooks leave at least half of the calls to the escrow provider to orders.');
      return warning(
        `Unsigned escrow webhooks may use ${hintsPerMinute} of the ${escrowRatePerMinute} calls to the escrow provider in a minute, and anyone can send them.`,
        'Lower HINTS_PER_MINUTE to a fifth of ESCROW_PROVIDER_RATE_PER_MINUTE, or less.',
      );
    },
  },
  {
    name: 'cors',
    check: ({ config: { http } }) => {
      const open = http.corsOrigins.filter(
        (origin) => origin.startsWith('http:') && !isLoopback(new URL(origin).hostname),
      );
      if (open.length === 0)
        return fine(`Origins whose pages may call the API: ${http.corsOrigins.length}, none of them without TLS.`);
      return warning(
        `Pages without TLS may call the API from a browser: ${open.join(', ')}.`,
        'Serve these pages over https and list their https origins in CORS_ORIGINS.',
      );
    },
  },
  {
    name: 'metrics',
    check: ({ config: { http, observe } }) => {
      const isOpen = isLoopback(http.host) && http.trustProxy !== false && observe.metricsToken === null;
      if (!isOpen) return fine('/metrics needs a token, or only this machine can read it.');
      return failed('/metrics is open to all clients of the proxy.', 'Set METRICS_TOKEN.');
    },
  },
  { name: 'database-tls', check: ({ config: { database } }) => databaseTls(database.url) },
];

export const checkSettings = (settings: Settings): Verdict[] =>
  SETTINGS_CHECKS.map(({ name, check }) => ({ name, ...check(settings) }));
