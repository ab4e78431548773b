// Combinations of settings that stop the start, and settings that only cause a warning at the start. A row is checked only when all
// settings that it names could be read.

import { isLoopback, isWeakKek } from './parsers.ts';
import { isReachable, isReal } from './reach.ts';
import type { Config } from './settings.ts';

type Danger = { names: readonly string[]; holds(config: Config): boolean; sentence: string };

const DISTINCT_CHARACTERS_MIN = 8;

// 16 bytes in base64 are 22 characters.
const isShort = (secret: string | null): boolean =>
  secret !== null && secret.split('whsec_').slice(1).join('').length < 22;

// Settings of the outside systems. Plain http is accepted only for local hosts, where it is a sandbox, so the public keys of the sandbox
// are sufficient. An https address is a real provider and needs all its settings.
const PROVIDER_DANGERS: readonly Danger[] = [
  {
    names: ['ESCROW_PROVIDER_URL', 'ESCROW_PROVIDER_API_KEY'],
    holds: ({ providers, adapters }) => isReal(providers.escrowUrl) && adapters.escrowApiKey === null,
    sentence: 'ESCROW_PROVIDER_API_KEY is missing: ESCROW_PROVIDER_URL is a real provider, which needs it.',
  },
  {
    names: ['ESCROW_PROVIDER_URL', 'ESCROW_CODE_HASH_SINGLE', 'ESCROW_CODE_HASH_MULTI'],
    holds: ({ providers, adapters }) =>
      isReal(providers.escrowUrl) && [adapters.escrowCodeHashSingle, adapters.escrowCodeHashMulti].includes(null),
    sentence:
      'ESCROW_CODE_HASH_SINGLE and ESCROW_CODE_HASH_MULTI are needed: ESCROW_PROVIDER_URL is a real provider, and money is paid only into contracts whose code is known.',
  },
  {
    names: ['ESCROW_PROVIDER_URL', 'LEDGER_URL', 'LEDGER_RPC_URL'],
    holds: ({ providers, adapters }) =>
      isReal(providers.escrowUrl) && isReal(providers.ledgerUrl) && adapters.ledgerRpcUrl === null,
    sentence:
      'LEDGER_RPC_URL is missing: ESCROW_PROVIDER_URL is a real provider, and the code of a contract is read from the ledger before money is paid into it.',
  },
  {
    names: ['PAYMENT_PROVIDER_URL', 'PAYMENT_PROVIDER_KEY', 'PAYMENT_PROVIDER_SECRET', 'PAYMENT_PROVIDER_PAYER_URL'],
    holds: ({ providers, adapters }) =>
      isReal(providers.paymentUrl) &&
      [adapters.paymentKey, adapters.paymentSecret, adapters.paymentPayerUrl].includes(null),
    sentence:
      'PAYMENT_PROVIDER_KEY, PAYMENT_PROVIDER_SECRET and PAYMENT_PROVIDER_PAYER_URL are needed: PAYMENT_PROVIDER_URL is a real provider.',
  },
  {
    names: ['LEDGER_URL', 'LEDGER_NETWORK_PASSPHRASE', 'LEDGER_ASSET_ISSUER'],
    holds: ({ providers, adapters }) =>
      isReal(providers.ledgerUrl) && [adapters.ledgerPassphrase, adapters.ledgerAssetIssuer].includes(null),
    sentence:
      'LEDGER_NETWORK_PASSPHRASE and LEDGER_ASSET_ISSUER are needed: LEDGER_URL is a real network, and transactions are signed for exactly one network.',
  },
  {
    names: ['HOST', 'TRUST_PROXY', 'PAYMENT_PROVIDER_URL', 'PAYMENT_WEBHOOK_SECRET'],
    holds: ({ http, providers, adapters }) =>
      isReachable({ http }) && providers.paymentUrl !== null && adapters.paymentWebhookSecret === null,
    sentence:
      'PAYMENT_WEBHOOK_SECRET is missing and other machines can reach HOST, directly or through TRUST_PROXY: anyone could report a top-up as paid. Set the secret, or listen on 127.0.0.1 without a proxy.',
  },
  {
    names: ['HOST', 'PAYMENT_WEBHOOK_SECRET', 'ESCROW_WEBHOOK_SECRET'],
    holds: ({ http, adapters }) =>
      !isLoopback(http.host) && [adapters.paymentWebhookSecret, adapters.escrowWebhookSecret].some(isShort),
    sentence:
      'PAYMENT_WEBHOOK_SECRET or ESCROW_WEBHOOK_SECRET is so short that it can be guessed, and other machines can reach HOST: use at least 22 characters after whsec_.',
  },
  {
    names: ['SANDBOX', 'ESCROW_PROVIDER_URL', 'LEDGER_URL'],
    holds: ({ sandbox, providers }) =>
      sandbox.isOn === true && isReal(providers.escrowUrl) !== isReal(providers.ledgerUrl),
    sentence:
      'SANDBOX is on and only one of ESCROW_PROVIDER_URL and LEDGER_URL is real: the escrow contracts are on that ledger. Set both or neither.',
  },
];

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
    holds: ({ keys }) => keys.walletKeks?.some(isWeakKek) ?? false,
    sentence:
      'WALLET_KEK has so few different bytes that it can be guessed: use 32 random bytes (openssl rand -base64 32).',
  },
  {
    names: ['WALLET_KEK_SOURCE', 'WALLET_KEK_COMMAND'],
    holds: ({ walletKeys }) => walletKeys.source === 'command' && walletKeys.command === null,
    sentence: 'WALLET_KEK_COMMAND is missing: WALLET_KEK_SOURCE is command, which needs it.',
  },
  {
    names: ['WALLET_KEK_SOURCE', 'WALLET_KEK_PKCS11_MODULE', 'WALLET_KEK_PKCS11_TOKEN'],
    holds: ({ walletKeys }) =>
      walletKeys.source === 'pkcs11' && [walletKeys.pkcs11Module, walletKeys.pkcs11Token].includes(null),
    sentence:
      'WALLET_KEK_PKCS11_MODULE and WALLET_KEK_PKCS11_TOKEN are needed: WALLET_KEK_SOURCE is pkcs11, and they name the token.',
  },
  {
    names: ['WALLET_KEK_SOURCE', 'WALLET_KEK_PKCS11_PIN_FILE', 'WALLET_KEK_PKCS11_PIN_COMMAND'],
    holds: ({ walletKeys }) =>
      walletKeys.source === 'pkcs11' && (walletKeys.pkcs11PinFile === null) === (walletKeys.pkcs11PinCommand === null),
    sentence:
      'Set one of WALLET_KEK_PKCS11_PIN_FILE and WALLET_KEK_PKCS11_PIN_COMMAND: the token needs its PIN from one place.',
  },
  {
    names: ['SMTP_URL', 'ALERT_EMAIL_FROM', 'ALERT_EMAIL_TO'],
    holds: ({ alerts }) => alerts.smtpUrl !== null && (alerts.emailFrom === null || alerts.emailTo.length === 0),
    sentence:
      'ALERT_EMAIL_FROM and ALERT_EMAIL_TO are needed: SMTP_URL is set, and e-mails need a sender and recipients.',
  },
  {
    names: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    holds: ({ operators }) =>
      operators.oidcIssuer !== null && [operators.oidcClientId, operators.oidcClientSecret].includes(null),
    sentence:
      'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are needed: OIDC_ISSUER is set, and they identify this server there.',
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
