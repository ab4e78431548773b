// Settings of the HTTP server: address, trusted proxies, keys, rate limits and idempotency.

import { MONEY_SCOPES } from '@holdfast/contract/scopes.ts';
import { duration, integer, list, origin, secret, subset, trustedProxies, url, walletKeks, words } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

export const HTTP_SETTINGS = {
  http: {
    host: setting({
      name: 'HOST',
      parser: words({ pattern: /^[A-Za-z0-9.:_-]+$/, expects: 'a host name or an address' }),
      default: '127.0.0.1',
      meaning: 'Address to listen on. Anything but loopback makes the server reachable, and stricter checks apply.',
      example: '0.0.0.0',
    }),
    port: setting({
      name: 'PORT',
      parser: integer({ min: 0, max: 65_535 }),
      default: '4000',
      meaning: 'Port to listen on; 0 selects a free port.',
      example: '8080',
    }),
    trustProxy: setting({
      name: 'TRUST_PROXY',
      parser: trustedProxies,
      default: 'off',
      meaning:
        'Proxies whose X-Forwarded-* headers are trusted. Set it behind a load balancer; otherwise all clients share one address.',
      example: '10.0.0.0/8',
    }),
    corsOrigins: setting({
      name: 'CORS_ORIGINS',
      parser: list(origin),
      default: '',
      meaning: 'Origins of web pages that may call the API from a browser.',
      example: 'https://shop.example,https://admin.shop.example',
    }),
    requestsMax: setting({
      name: 'REQUESTS_MAX',
      parser: integer({ min: 1, max: 100_000 }),
      default: '512',
      meaning:
        'Requests processed at once. More are refused with 503 until one has ended. Health checks, event streams, logins and requests that wait for outside systems do not count.',
      example: '256',
    }),
    shutdownGraceMs: setting({
      name: 'SHUTDOWN_GRACE_MS',
      parser: duration({ unit: 'ms', min: 0, max: 600_000 }),
      default: '10000',
      meaning: 'How long running requests may take to finish when the server stops.',
      example: '30000',
    }),
  },
  keys: {
    masterKey: optionalSetting({
      name: 'MASTER_KEY',
      parser: secret({ lengthMin: 16 }),
      secret: true,
      unset: 'generated into the data folder, shown once',
      meaning: 'The key that creates API keys and may use every route. At least 32 characters unless HOST is loopback.',
      example: '"$(openssl rand -hex 32)"',
    }),
    jwtSecrets: optionalSetting({
      name: 'JWT_SECRET',
      parser: list(secret({ lengthMin: 32 })),
      secret: true,
      unset: 'generated into the data folder',
      meaning: 'Signs access tokens. To rotate it, put the new secret first: the first one signs, all of them verify.',
      example: '"$(openssl rand -hex 32)"',
    }),
    walletKeks: optionalSetting({
      name: 'WALLET_KEK',
      parser: walletKeks,
      secret: true,
      unset: 'generated into the data folder',
      meaning:
        'Encrypts the secrets of custodial wallets. Without it their money cannot be moved: keep a copy. To rotate it, put a new version first, restart one server after the other, and run `holdfast wallets rotate`. All versions decrypt.',
      example: '"$(echo 1:$(openssl rand -base64 32))"',
    }),
    tokenTtlMs: setting({
      name: 'TOKEN_TTL_S',
      parser: duration({ unit: 's', min: 60, max: 86_400 }),
      default: '3600',
      meaning: 'How long an access token of an API key is valid.',
      example: '900',
    }),
    writeIncludes: setting({
      name: 'WRITE_INCLUDES',
      parser: subset(MONEY_SCOPES),
      default: 'treasury,payout',
      meaning:
        'The scopes that `write` contains. `treasury` may credit, debit, deduct and sync balances; `payout` may create and commit withdrawals. A scope that is left out needs a key that has it.',
      example: 'none',
    }),
    rotationOverlapMs: setting({
      name: 'API_KEY_ROTATION_OVERLAP_S',
      parser: duration({ unit: 's', min: 0, max: 2_592_000 }),
      default: '86400',
      meaning: 'How long the old secret of an API key still works after a rotation.',
      example: '3600',
    }),
  },
  rateLimit: {
    max: setting({
      name: 'RATE_LIMIT_MAX',
      parser: integer({ min: 1, max: 10_000_000 }),
      default: '100',
      meaning: 'Requests per window and API key (per address without a key). A key may have its own limit.',
      example: '600',
    }),
    windowMs: setting({
      name: 'RATE_LIMIT_WINDOW_S',
      parser: duration({ unit: 's', min: 1, max: 86_400 }),
      default: '60',
      meaning: 'Length of the window of the rate limit.',
      example: '10',
    }),
    webhookMax: setting({
      name: 'WEBHOOK_RATE_LIMIT_MAX',
      parser: integer({ min: 1, max: 10_000_000 }),
      default: '1000',
      meaning: 'Requests per window and address at the webhook receivers, which have their own bucket.',
      example: '5000',
    }),
    redisUrl: optionalSetting({
      name: 'REDIS_URL',
      parser: url({ schemes: ['redis', 'rediss'], expects: 'a redis:// or rediss:// URL' }),
      secret: true,
      unset: 'each process counts its own requests',
      meaning: 'Redis in which several server processes share the count of requests.',
      example: 'redis://127.0.0.1:6379',
    }),
  },
  idempotency: {
    retentionMs: setting({
      name: 'IDEMPOTENCY_RETENTION_H',
      parser: duration({ unit: 'h', min: 1, max: 8_760 }),
      default: '24',
      meaning: 'How long an answer is stored for a repeated request with the same Idempotency-Key.',
      example: '72',
    }),
  },
};
