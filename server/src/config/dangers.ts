// Settings that are fine one by one and wrong together. A row is only asked when each setting it names was readable.

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
      'MASTER_KEY is too short for a HOST that others can reach: give at least 32 random characters (openssl rand -hex 32), or listen on 127.0.0.1.',
  },
  {
    names: ['HOST', 'MASTER_KEY'],
    holds: ({ http, keys }) => !isLoopback(http.host) && isMonotonous(keys.masterKey),
    sentence:
      'MASTER_KEY repeats so few characters that it can be guessed, and HOST can be reached by others: give a random one (openssl rand -hex 32).',
  },
  {
    names: ['JWT_SECRET'],
    holds: ({ keys }) => keys.jwtSecrets?.some(isMonotonous) ?? false,
    sentence:
      'JWT_SECRET repeats so few characters that tokens can be forged: give a random one (openssl rand -hex 32).',
  },
  {
    names: ['WALLET_KEK'],
    holds: ({ keys }) => keys.walletKeks?.some(({ key }) => new Set(key).size < DISTINCT_CHARACTERS_MIN) ?? false,
    sentence:
      'WALLET_KEK repeats so few bytes that wallets could be opened by guessing: give 32 random bytes (openssl rand -base64 32).',
  },
  {
    names: ['MASTER_KEY', 'JWT_SECRET'],
    holds: ({ keys }) => keys.masterKey !== null && (keys.jwtSecrets ?? []).includes(keys.masterKey),
    sentence: 'MASTER_KEY and JWT_SECRET are the same: whoever learns one has both; give each its own value.',
  },
  {
    names: ['MASTER_KEY', 'METRICS_TOKEN'],
    holds: ({ keys, observe }) => keys.masterKey !== null && keys.masterKey === observe.metricsToken,
    sentence: 'METRICS_TOKEN and MASTER_KEY are the same: a scraper must not hold the master key; give each its own.',
  },
  {
    names: ['COMMITTER_GROUP_MAX', 'COMMITTER_QUEUE_MAX'],
    holds: ({ committer }) => committer.groupMax > committer.queueMax,
    sentence: 'COMMITTER_GROUP_MAX is larger than COMMITTER_QUEUE_MAX: no group can be larger than what may wait.',
  },
  upsideDown('ORDER', (money) => [money.orderAmountMin, money.orderAmountMax]),
  upsideDown('TOPUP', (money) => [money.topupAmountMin, money.topupAmountMax]),
  upsideDown('WITHDRAWAL', (money) => [money.withdrawalAmountMin, money.withdrawalAmountMax]),
  ...PROVIDER_DANGERS,
];

function isMonotonous(secret: string | null): boolean {
  return secret !== null && new Set(secret).size < DISTINCT_CHARACTERS_MIN;
}

// Amounts carry exactly two places here, so padded text compares like the amounts do and no number is needed.
function upsideDown(prefix: string, limits: (money: Config['money']) => readonly [string, string]): Danger {
  const names = [`${prefix}_AMOUNT_MIN`, `${prefix}_AMOUNT_MAX`];
  return {
    names,
    holds({ money }) {
      const [min, max] = limits(money);
      return min.padStart(20, '0') > max.padStart(20, '0');
    },
    sentence: `${names[0]} is larger than ${names[1]}: no amount could pass; swap them or widen one.`,
  };
}
