// Combinations of settings of the outside systems that stop the start. Plain http is accepted only for local hosts, where it is a
// sandbox, so the public keys of the sandbox are sufficient. An https address is a real provider and needs all its settings.

import type { Danger } from './dangers.ts';
import { isLoopback } from './parsers.ts';

// 16 bytes in base64 are 22 characters.
const isShort = (secret: string | null): boolean =>
  secret !== null && secret.split('whsec_').slice(1).join('').length < 22;

const isReal = (url: string | null): boolean => url?.startsWith('https:') ?? false;

export const PROVIDER_DANGERS: readonly Danger[] = [
  {
    names: ['ESCROW_PROVIDER_URL', 'ESCROW_PROVIDER_API_KEY'],
    holds: ({ providers, adapters }) => isReal(providers.escrowUrl) && adapters.escrowApiKey === null,
    sentence: 'ESCROW_PROVIDER_API_KEY is missing: ESCROW_PROVIDER_URL is a real provider, which needs it.',
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
    names: ['HOST', 'PAYMENT_PROVIDER_URL', 'PAYMENT_WEBHOOK_SECRET'],
    holds: ({ http, providers, adapters }) =>
      !isLoopback(http.host) && providers.paymentUrl !== null && adapters.paymentWebhookSecret === null,
    sentence:
      'PAYMENT_WEBHOOK_SECRET is missing and other machines can reach HOST: anyone could report a top-up as paid. Set the secret, or listen on 127.0.0.1.',
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
