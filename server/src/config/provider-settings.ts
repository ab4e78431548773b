// Settings of the adapters of the outside systems, and of the sandbox that replaces them. Only the form of each setting is checked here;
// provider-dangers.ts checks that they fit together.

import { DEFAULT_MARKETPLACE, MARKETPLACE_ID_PATTERN } from '@holdfast/contract/ids.ts';
import { boolean, duration, integer, isLoopback, oneOf, type Parser, secret, serviceUrl, words } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

// The payment provider uses the base64 after the prefix as the key.
const paymentWebhookSecret: Parser<string> = {
  expects: 'whsec_ and base64',
  read: (text) => (/^whsec_[A-Za-z0-9+/]{2,}={0,2}$/.test(text) ? text : undefined),
};

const ledgerAddress = words({ pattern: /^G[A-Z2-7]{55}$/, expects: 'an account address: G and 55 letters or digits' });

const contractAddress = words({
  pattern: /^C[A-Z2-7]{55}$/,
  expects: 'a contract address: C and 55 letters or digits',
});

const codeHash = words({ pattern: /^[0-9a-f]{64}$/, expects: '64 lower-case hexadecimal digits' });

const loopback: Parser<string> = {
  expects: 'a loopback address: 127.0.0.1, localhost or ::1',
  read: (text) => (isLoopback(text) ? text : undefined),
};

export const PROVIDER_SETTINGS = {
  adapters: {
    timeoutMs: setting({
      name: 'PROVIDER_TIMEOUT_MS',
      parser: duration({ unit: 'ms', min: 100, max: 600_000 }),
      default: '10000',
      meaning: 'Timeout of one call to an outside system, including retries. After that the outcome is unknown.',
      example: '20000',
    }),
    concurrencyMax: setting({
      name: 'PROVIDER_CONCURRENCY_MAX',
      parser: integer({ min: 1, max: 1_000 }),
      default: '32',
      meaning: 'Concurrent calls to one outside system, per process.',
      example: '8',
    }),
    sharePercent: setting({
      name: 'PROVIDER_SHARE_PERCENT',
      parser: integer({ min: 10, max: 100 }),
      default: '75',
      meaning:
        'How much one marketplace may use of the rate, of the concurrent calls and of the queue that the others leave at a provider, in percent. 100 is right for a single marketplace.',
      example: '100',
    }),
    escrowApiKey: optionalSetting({
      name: 'ESCROW_PROVIDER_API_KEY',
      parser: secret({ lengthMin: 1 }),
      secret: true,
      unset: "the sandbox's",
      meaning: 'Our key at the escrow provider.',
      example: 'the-key-the-provider-gave-you',
    }),
    escrowRatePerMinute: setting({
      name: 'ESCROW_PROVIDER_RATE_PER_MINUTE',
      parser: integer({ min: 0, max: 1_000_000 }),
      default: '50',
      meaning: 'Calls per minute that the escrow provider allows; 0 is no limit. Divide it among your processes.',
      example: '25',
    }),
    escrowFactorySingle: factory('SINGLE', 'one payment'),
    escrowFactoryMulti: factory('MULTI', 'a payment for each milestone'),
    escrowCodeHashSingle: code('SINGLE'),
    escrowCodeHashMulti: code('MULTI'),
    paymentKey: optionalSetting({
      name: 'PAYMENT_PROVIDER_KEY',
      parser: secret({ lengthMin: 1 }),
      secret: true,
      unset: "the sandbox's",
      meaning: 'Our key at the payment provider: the user name of HTTP Basic.',
      example: 'the-key-the-provider-gave-you',
    }),
    paymentSecret: optionalSetting({
      name: 'PAYMENT_PROVIDER_SECRET',
      parser: secret({ lengthMin: 1 }),
      secret: true,
      unset: "the sandbox's",
      meaning: 'Our secret at the payment provider: the password of HTTP Basic.',
      example: 'the-secret-the-provider-gave-you',
    }),
    paymentPayerUrl: optionalSetting({
      name: 'PAYMENT_PROVIDER_PAYER_URL',
      parser: serviceUrl,
      unset: "the sandbox's page",
      meaning: "Address of the payment page: payers are redirected to this address, /payin/ and the payin's id.",
      example: 'https://pay.provider.example',
    }),
    paymentRatePerSecond: setting({
      name: 'PAYMENT_PROVIDER_RATE_PER_SECOND',
      parser: integer({ min: 0, max: 1_000_000 }),
      default: '10',
      meaning: 'Calls per second that the payment provider allows; 0 is no limit. Divide it among your processes.',
      example: '5',
    }),
    paymentWebhookSecret: optionalSetting({
      name: 'PAYMENT_WEBHOOK_SECRET',
      parser: paymentWebhookSecret,
      secret: true,
      unset:
        "signed webhooks of the sandbox are verified with the sandbox's secret; unsigned ones are accepted with a warning while only this machine can reach the server, and refused otherwise",
      meaning:
        "Verifies the payment provider's webhooks. Beside another provider than the sandbox it may be unset only while HOST is loopback and no proxy is trusted. May be short only while HOST is loopback.",
      example: '"$(echo whsec_$(openssl rand -base64 24))"',
    }),
    paymentUrlPerMarketplace: setting({
      name: 'PAYMENT_PROVIDER_URL_PER_MARKETPLACE',
      parser: boolean,
      default: 'false',
      meaning:
        'Whether the master key may give a marketplace its own address of the payment provider, besides its own credentials.',
      example: 'true',
    }),
    paymentCredentialsOverlapMs: setting({
      name: 'PAYMENT_CREDENTIALS_OVERLAP_H',
      parser: duration({ unit: 'h', min: 1, max: 720 }),
      default: '24',
      meaning:
        "How long webhooks with a marketplace's former webhook secret are still accepted after its credentials were replaced.",
      example: '72',
    }),
    escrowWebhookSecret: optionalSetting({
      name: 'ESCROW_WEBHOOK_SECRET',
      parser: words({
        pattern: /^[A-Za-z_]*whsec_[\x21-\x7e]+$/,
        expects: 'whsec_, or letters and underscores ending in whsec_, followed by visible characters',
      }),
      secret: true,
      unset: 'an escrow webhook is only a hint; its content is checked at the provider and on the ledger',
      meaning:
        "Verifies the escrow provider's webhooks. The whole text is the key. May be short only while HOST is loopback.",
      example: '"$(echo whsec_$(openssl rand -hex 32))"',
    }),
    escrowWebhookCheck: setting({
      name: 'ESCROW_WEBHOOK_CHECK',
      parser: oneOf(['signature', 'verify']),
      default: 'signature',
      meaning:
        "What a signed escrow webhook about money needs before it changes the books. signature: the provider's signature, as in the specification. verify: also the same facts at the provider and on the ledger; use it with a real provider.",
      example: 'verify',
    }),
    hintsPerMinute: setting({
      name: 'HINTS_PER_MINUTE',
      parser: integer({ min: 0, max: 10_000 }),
      default: '10',
      meaning:
        'Unsigned escrow webhooks that are checked per minute, from all senders and by all servers of a database together. The minute begins with its first webhook. Each may cost a call to the escrow provider, so keep it far below ESCROW_PROVIDER_RATE_PER_MINUTE. More are answered and ignored, and so is one that the database cannot count; 0 ignores all.',
      example: '5',
    }),
    ledgerRatePerMinute: setting({
      name: 'LEDGER_RATE_PER_MINUTE',
      parser: integer({ min: 0, max: 1_000_000 }),
      default: '600',
      meaning:
        'Requests per minute that the ledger network allows; 0 is no limit. Divide it among your processes. Payments and settlements go first, the search for deposits after them. A Horizon server allows 60 per minute and address unless its operator has changed that.',
      example: '60',
    }),
    ledgerRpcUrl: optionalSetting({
      name: 'LEDGER_RPC_URL',
      parser: serviceUrl,
      unset: "the sandbox's; a server with a real escrow provider does not start",
      meaning:
        "Address of the ledger network's RPC server, which shows the code and the balances of contracts. LEDGER_URL is the address of its Horizon server.",
      example: 'https://rpc.provider.example',
    }),
    ledgerPassphrase: optionalSetting({
      name: 'LEDGER_NETWORK_PASSPHRASE',
      parser: words({ pattern: /^[\x20-\x7e]{1,200}$/, expects: 'a text of 1 to 200 visible characters' }),
      unset: "the sandbox's",
      meaning: 'Identifies the ledger network. A transaction that is signed for one network is invalid on another.',
      example: 'Test SDF Network ; September 2015',
    }),
    ledgerMaxBid: setting({
      name: 'LEDGER_FEE_MAX',
      parser: integer({ min: 100, max: 10_000_000 }),
      default: '100000',
      meaning:
        'Highest fee that is bid for one operation on the ledger, in units of 0.0000001 XLM. The ledger charges only what it needs. While the network asks for more, transactions wait.',
      example: '1000000',
    }),
    ledgerBumpAfterMs: setting({
      name: 'LEDGER_BUMP_AFTER_S',
      parser: duration({ unit: 's', min: 1, max: 50 }),
      default: '10',
      meaning:
        'How long a transaction may wait for a ledger before the treasury raises its fee with a fee bump. A transaction is valid for 60 seconds.',
      example: '20',
    }),
    ledgerAssetIssuer: optionalSetting({
      name: 'LEDGER_ASSET_ISSUER',
      parser: ledgerAddress,
      unset: "the sandbox's",
      meaning: 'Account that issues the USDC that we receive and pay.',
      example: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
    }),
  },
  sandbox: {
    isOn: optionalSetting({
      name: 'SANDBOX',
      parser: boolean,
      unset: 'on while none of the three addresses above is set',
      meaning: 'Starts simulators of the outside systems together with the server. No real money is moved.',
      example: 'off',
    }),
    host: setting({
      name: 'SANDBOX_HOST',
      parser: loopback,
      default: '127.0.0.1',
      meaning: 'Address that the sandbox listens on.',
      example: 'localhost',
    }),
    port: setting({
      name: 'SANDBOX_PORT',
      parser: integer({ min: 0, max: 65_535 }),
      default: '4010',
      meaning: 'Port that the sandbox listens on; 0 selects a free port.',
      example: '4011',
    }),
    keyMarketplace: setting({
      name: 'DEV_KEY_MARKETPLACE',
      parser: words({ pattern: new RegExp(MARKETPLACE_ID_PATTERN), expects: 'mkt_ and 1 to 40 letters, digits or -' }),
      default: DEFAULT_MARKETPLACE,
      meaning:
        'Marketplace of the development key. A server with the sandbox stores that key in the data folder, as long as only this machine can reach the server.',
      example: 'mkt_shop',
    }),
  },
};

function factory(kind: 'SINGLE' | 'MULTI', paid: string) {
  return optionalSetting({
    name: `ESCROW_FACTORY_${kind}`,
    parser: contractAddress,
    unset: "the sandbox's; with another provider no such escrow is deployed, because its contract cannot be verified",
    meaning: `Contract that the escrow provider uses to deploy escrows with ${paid}.`,
    example: 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE',
  });
}

function code(kind: 'SINGLE' | 'MULTI') {
  return optionalSetting({
    name: `ESCROW_CODE_HASH_${kind}`,
    parser: codeHash,
    unset: "the sandbox's; a server with a real provider does not start",
    meaning: `Hash of the contract code that ESCROW_FACTORY_${kind} may deploy. The code is compared when an escrow is deployed and again before money is paid into it.`,
    example: 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00',
  });
}
