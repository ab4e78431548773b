// Combinations of settings that stop the start, and settings that only cause a warning at the start. A row is checked only when all
// settings that it names could be read.

import { isLoopback } from './parsers.ts';
import { PROVIDER_DANGERS } from './provider-dangers.ts';
import type { Config } from './settings.ts';

export type Danger = { names: readonly string[]; holds(config: Config): boolean; sentence: string };

const DISTINCT_CHARACTERS_MIN = 8;

export const DANGERS: readonly Danger[] = [
  {
    names: ['HOST', 'MASTER_KEY'],
    holds: ({ http, keys }) => !isLoopback(http.host) && keys.masterKey !== null && keys.masterKey.length < 32,
    sentence:
      'MASTER_KEY is too short for a HOST that other machines can reach: use at least 32 random characters (openssl rand -hex 32), or listen on 127.0.0.1.',
  },
  {
    names: ['HOST', 'MASTER_KEY'],
    holds: ({ http, keys }) => !isLoopback(http.host) && isMonotonous(keys.masterKey),
    sentence:
      'MASTER_KEY has so few different characters that it can be guessed, and other machines can reach HOST: use a random one (openssl rand -hex 32).',
  },
  {
    names: ['JWT_SECRET'],
    holds: ({ keys }) => keys.jwtSecrets?.some(isMonotonous) ?? false,
    sentence:
      'JWT_SECRET has so few different characters that tokens can be forged: use a random one (openssl rand -hex 32).',
  },
  {
    names: ['WALLET_KEK'],
    holds: ({ keys }) => keys.walletKeks?.some(({ key }) => new Set(key).size < DISTINCT_CHARACTERS_MIN) ?? false,
    sentence:
      'WALLET_KEK has so few different bytes that it can be guessed: use 32 random bytes (openssl rand -base64 32).',
  },
  {
    names: ['MASTER_KEY', 'JWT_SECRET'],
    holds: ({ keys }) => keys.masterKey !== null && (keys.jwtSecrets ?? []).includes(keys.masterKey),
    sentence: 'MASTER_KEY and JWT_SECRET are the same: use a different value for each.',
  },
  {
    names: ['MASTER_KEY', 'METRICS_TOKEN'],
    holds: ({ keys, observe }) => keys.masterKey !== null && keys.masterKey === observe.metricsToken,
    sentence:
      'METRICS_TOKEN and MASTER_KEY are the same: a metrics scraper must not have the master key. Use a different value for each.',
  },
  {
    names: ['COMMITTER_GROUP_MAX', 'COMMITTER_QUEUE_MAX'],
    holds: ({ committer }) => committer.groupMax > committer.queueMax,
    sentence: 'COMMITTER_GROUP_MAX is larger than COMMITTER_QUEUE_MAX: a group cannot be larger than the queue.',
  },
  reversedLimits('ORDER', (money) => [money.orderAmountMin, money.orderAmountMax]),
  reversedLimits('TOPUP', (money) => [money.topupAmountMin, money.topupAmountMax]),
  reversedLimits('WITHDRAWAL', (money) => [money.withdrawalAmountMin, money.withdrawalAmountMax]),
  ...PROVIDER_DANGERS,
];

function isMonotonous(secret: string | null): boolean {
  return secret !== null && new Set(secret).size < DISTINCT_CHARACTERS_MIN;
}

// Amounts have exactly two places here, so padded text compares like the amounts and no number is needed.
function reversedLimits(prefix: string, limits: (money: Config['money']) => readonly [string, string]): Danger {
  const names = [`${prefix}_AMOUNT_MIN`, `${prefix}_AMOUNT_MAX`];
  return {
    names,
    holds({ money }) {
      const [min, max] = limits(money);
      return min.padStart(20, '0') > max.padStart(20, '0');
    },
    sentence: `${names[0]} is larger than ${names[1]}: no amount would be allowed. Swap them or change one.`,
  };
}

const WARNINGS: readonly { holds(config: Config): boolean; sentence: string }[] = [
  {
    holds: ({ orders }) => !orders.needKey,
    sentence:
      'ORDER_ROUTES_AUTH is off: anyone who can reach this server can create, fund, release and refund orders of every marketplace. Turn it on as soon as all clients send a key.',
  },
  {
    holds: ({ providers, adapters }) => providers.paymentUrl !== null && adapters.paymentWebhookSecret === null,
    sentence:
      "PAYMENT_WEBHOOK_SECRET is not set: the payment provider's webhooks are accepted without a check of their signature. Set it everywhere except on your own machine.",
  },
];

export const warningsOf = (config: Config): string[] =>
  WARNINGS.filter(({ holds }) => holds(config)).map(({ sentence }) => sentence);
