// Which secrets of the settings could be guessed: too short, of too few characters, or made of words that everybody
// tries first. Gives names, never values.

import type { Config } from '../../config/config.ts';

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
