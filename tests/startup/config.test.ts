// The environment is read once, by one pure function; these are its promises.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Config, type Env, isLoopback, readConfig, warningsOf } from '../../server/src/config/config.ts';
import { boolean } from '../../server/src/config/parsers.ts';
import { servesSurfaceB } from '../../server/src/config/reach.ts';

const STRONG = 'v7Qm2xTz9LkRb4WnYc8HsDf3GjPa6EuK';

function configOf(env: Env): Config {
  const read = readConfig(env);
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'));
  return read.config;
}

function problemsOf(env: Env): string[] {
  const read = readConfig(env);
  return read.ok ? [] : read.problems;
}

describe('Surface B', () => {
  test('is served with the sandbox, and beside a real ledger only when the operator asks for it', () => {
    const real = {
      LEDGER_URL: 'https://horizon.example',
      LEDGER_NETWORK_PASSPHRASE: 'Public Global Stellar Network ; September 2015',
      LEDGER_ASSET_ISSUER: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    };
    assert.equal(servesSurfaceB(configOf({})), true);
    assert.equal(servesSurfaceB(configOf({ SURFACE_B: 'off' })), false);
    assert.equal(servesSurfaceB(configOf(real)), false);
    assert.equal(servesSurfaceB(configOf({ ...real, SURFACE_B: 'on' })), true);
  });
});

describe('an empty environment', () => {
  test('gives a server on loopback with the embedded database and keys to be generated', () => {
    const config = configOf({});
    assert.deepEqual(config.http, {
      host: '127.0.0.1',
      port: 4000,
      trustProxy: false,
      corsOrigins: [],
      requestsMax: 512,
      shutdownGraceMs: 10_000,
    });
    assert.deepEqual(config.database, { url: null, poolMax: 10 });
    assert.deepEqual(config.data, { dir: '.data' });
    assert.deepEqual([config.keys.masterKey, config.keys.jwtSecrets], [null, null]);
    assert.deepEqual(config.rateLimit, { max: 100, windowMs: 60_000, webhookMax: 1000, redisUrl: null });
    assert.deepEqual(config.committer, { groupMax: 512, queueMax: 10_000 });
    assert.equal(config.events.retentionMs, 30 * 86_400_000);
    assert.equal(config.idempotency.retentionMs, 86_400_000);
    assert.equal(config.money.baseCurrency, 'USD');
    assert.equal(config.money.orderAmountMax, '10000000.00');
    assert.deepEqual(config.orders, {
      needKey: true,
      idempotency: 'ignore',
      lenientMilestones: false,
      requirePaymentAccount: false,
      operationWaitMs: 25_000,
    });
    assert.deepEqual(config.providers, { escrowUrl: null, paymentUrl: null, ledgerUrl: null });
  });

  test('is the same as one of empty and blank variables', () => {
    assert.deepEqual(configOf({ PORT: '', JWT_SECRET: ' ', CORS_ORIGINS: '', DATABASE_URL: '' }), configOf({}));
  });

  test('may be full of variables of other programs', () => {
    const env = {
      PATH: '/bin',
      HOME: '/root',
      HOSTS: 'a',
      PORTS: '1',
      POST: 'x',
      HOSTNAME: 'web',
      OTEL_LOG_LEVEL: 'info',
    };
    assert.deepEqual(
      problemsOf({ ...env, npm_config_port: '1', OTEL_EXPORTER_OTLP_HEADERS: 'a=b', LOGNAME: 'root' }),
      [],
    );
  });
});

describe('one setting', () => {
  const accepted: [Env, (config: Config) => unknown, unknown][] = [
    [{ PORT: ' 0 ' }, (config) => config.http.port, 0],
    [{ TRUST_PROXY: '2' }, (config) => config.http.trustProxy, 2],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, (config) => config.http.trustProxy, ['10.0.0.0/8', '::1']],
    [{ WRITE_INCLUDES: 'none' }, (config) => config.keys.writeIncludes.length, 0],
    [{ CORS_ORIGINS: 'https://a.example,http://localhost:3000' }, (config) => config.http.corsOrigins.length, 2],
    [{ JWT_SECRET: `${STRONG},${STRONG}old` }, (config) => config.keys.jwtSecrets, [STRONG, `${STRONG}old`]],
    [{ RATE_LIMIT_WINDOW_S: '10' }, (config) => config.rateLimit.windowMs, 10_000],
    [{ ORDER_ROUTES_AUTH: 'off' }, (config) => config.orders.needKey, false],
    [{ ORDER_ROUTES_AUTH: 'on' }, (config) => config.orders.needKey, true],
    [{ LENIENT_MILESTONES: 'true' }, (config) => config.orders.lenientMilestones, true],
    [{ REQUIRE_PAYMENT_ACCOUNT: 'true' }, (config) => config.orders.requirePaymentAccount, true],
    [{ OPERATION_WAIT_MS: '1000' }, (config) => config.orders.operationWaitMs, 1_000],
    [{ ORDER_AMOUNT_MIN: '5' }, (config) => config.money.orderAmountMin, '5.00'],
    [{ ORDER_AMOUNT_MIN: '0.5' }, (config) => config.money.orderAmountMin, '0.50'],
    [
      {
        ESCROW_PROVIDER_URL: 'https://escrow.example/v1/',
        ESCROW_PROVIDER_API_KEY: 'key',
        ESCROW_CODE_HASH_SINGLE: '0f'.repeat(32),
        ESCROW_CODE_HASH_MULTI: 'f0'.repeat(32),
      },
      (config) => config.providers.escrowUrl,
      'https://escrow.example/v1',
    ],
    [{ LEDGER_URL: 'http://127.0.0.1:4010' }, (config) => config.providers.ledgerUrl, 'http://127.0.0.1:4010'],
    [{ LEDGER_URL: 'http://[::1]:4010' }, (config) => config.providers.ledgerUrl, 'http://[::1]:4010'],
    [{ LEDGER_URL: 'http://sandbox:4010' }, (config) => config.providers.ledgerUrl, 'http://sandbox:4010'],
  ];
  for (const [env, pick, expected] of accepted) {
    test(`${JSON.stringify(env)} is understood`, () => assert.deepEqual(pick(configOf(env)), expected));
  }

  const refused: Env[] = [
    { PORT: '65536' },
    { PORT: '-1' },
    { PORT: '1e3' },
    { PORT: '80.5' },
    { HOST: 'two words' },
    { TRUST_PROXY: 'true' },
    { TRUST_PROXY: '0' },
    { TRUST_PROXY: '10.0.0.0/33' },
    { TRUST_PROXY: '0.0.0.0/0' },
    { CORS_ORIGINS: '*' },
    { WRITE_INCLUDES: 'write' },
    { WRITE_INCLUDES: 'payout,none' },
    { WRITE_INCLUDES: 'payout,payout' },
    { CORS_ORIGINS: 'https://a.example/' },
    { CORS_ORIGINS: 'https://a.example,,' },
    { DATABASE_URL: 'mysql://db' },
    { DATABASE_URL: 'db' },
    { REDIS_URL: 'http://cache' },
    { MASTER_KEY: 'short' },
    { MASTER_KEY: `${STRONG} ${STRONG}` },
    { JWT_SECRET: `${STRONG},short` },
    { JWT_SECRET: `${STRONG},` },
    { LOG_LEVEL: 'INFO' },
    { BASE_CURRENCY: 'EUR' },
    { ORDER_ROUTES_AUTH: 'sometimes' },
    { LENIENT_MILESTONES: 'yes' },
    { OPERATION_WAIT_MS: '999' },
    { OPERATION_WAIT_MS: '600001' },
    { ORDER_AMOUNT_MIN: '0.00' },
    { ORDER_AMOUNT_MIN: '0.001' },
    { ORDER_AMOUNT_MIN: '-1' },
    { ORDER_AMOUNT_MAX: '1e9' },
    { ORDER_AMOUNT_MAX: '100000000000.00' },
    { PAYMENT_PROVIDER_URL: 'http://pay.example' },
    { PAYMENT_PROVIDER_URL: 'https://user:pass@pay.example' },
    { PAYMENT_PROVIDER_URL: 'https://pay.example/?key=1' },
  ];
  for (const env of refused) {
    test(`${JSON.stringify(env)} is refused with its name and an example`, () => {
      const name = Object.keys(env)[0] ?? '';
      const problems = problemsOf(env);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', new RegExp(`^${name} is .*: give .*, for example ${name}=`));
    });
  }
});

describe('what is wrong', () => {
  test('is said all at once', () => {
    const all = problemsOf({ HOST: '!', LOG_LEVEL: 'loud', ORDER_AMOUNT_MIN: '9', ORDER_AMOUNT_MAX: '8', PROT: '1' });
    assert.deepEqual(
      all.map((problem) => problem.split(' ')[0]),
      ['HOST', 'LOG_LEVEL', 'ORDER_AMOUNT_MIN', 'PROT'],
    );
  });

  test('never shows a secret', () => {
    const secrets = {
      MASTER_KEY: 'hunter2',
      JWT_SECRET: 'hunter2',
      DATABASE_URL: 'x://u:hunter2@h',
      REDIS_URL: 'hunter2',
    };
    const problems = problemsOf({ ...secrets, METRICS_TOKEN: 'hunter2' });
    assert.equal(problems.length, 5);
    assert.doesNotMatch(problems.join(), /hunter2/);
  });

  test('includes a name that is nearly ours, with the one that was meant', () => {
    const misspelt = {
      PROT: 'PORT',
      DATABASE_URI: 'DATABASE_URL',
      JWT_SECRETS: 'JWT_SECRET',
      RATE_LIMIT_WINDOWS: 'RATE_LIMIT_WINDOW_S',
    };
    for (const [given, meant] of Object.entries(misspelt)) {
      assert.deepEqual(problemsOf({ [given]: '1' }), [`${given} is set but is not a setting: did you mean ${meant}?`]);
    }
  });

  test('does not include a near name when the setting itself is there', () => {
    assert.deepEqual(problemsOf({ DATABASE_URI: 'x', DATABASE_URL: 'postgres://127.0.0.1/db' }), []);
  });
});

describe('a dangerous combination is refused', () => {
  const dangerous: [string, Env, RegExp][] = [
    [
      'a short master key others can try',
      { HOST: '0.0.0.0', MASTER_KEY: STRONG.slice(0, 31) },
      /^MASTER_KEY is too short/,
    ],
    ['a repetitive master key others can try', { HOST: '::', MASTER_KEY: 'ab'.repeat(20) }, /^MASTER_KEY has so few/],
    ['a repetitive token secret', { JWT_SECRET: 'x'.repeat(40) }, /^JWT_SECRET has so few/],
    ['one value for two purposes', { MASTER_KEY: STRONG, JWT_SECRET: `other${STRONG},${STRONG}` }, /are the same/],
    ['a scraper with the master key', { MASTER_KEY: STRONG, METRICS_TOKEN: STRONG }, /^METRICS_TOKEN and MASTER_KEY/],
    ['groups larger than the queue', { COMMITTER_QUEUE_MAX: '100' }, /^COMMITTER_GROUP_MAX is larger/],
    ['limits upside down', { TOPUP_AMOUNT_MIN: '100', TOPUP_AMOUNT_MAX: '99.99' }, /^TOPUP_AMOUNT_MIN is larger/],
  ];
  for (const [name, env, expected] of dangerous) {
    test(name, () => {
      const problems = problemsOf(env);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', expected);
    });
  }

  test('and the same master key is fine on loopback, or long enough elsewhere', () => {
    assert.deepEqual(problemsOf({ MASTER_KEY: STRONG.slice(0, 16) }), []);
    assert.deepEqual(problemsOf({ HOST: '0.0.0.0', MASTER_KEY: STRONG }), []);
    assert.deepEqual(problemsOf({ HOST: '0.0.0.0' }), []);
  });
});

test('order routes without keys are allowed and warned of, and nothing else is', () => {
  assert.deepEqual(warningsOf(configOf({})), []);
  const [warning = '', ...more] = warningsOf(configOf({ ORDER_ROUTES_AUTH: 'off' }));
  assert.match(warning, /^ORDER_ROUTES_AUTH is off: anyone/);
  assert.equal(more.length, 0);
});

test('loopback is 127.*, ::1 and localhost, and nothing that only looks like it', () => {
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', '[::1]', 'localhost']) assert.ok(isLoopback(host), host);
  for (const host of ['0.0.0.0', '::', '127.example.com', '10.0.0.1', 'localhost.example'])
    assert.ok(!isLoopback(host), host);
});

test('a yes-or-no setting takes the usual words and no others', () => {
  assert.deepEqual(['true', 'On', '1'].map(boolean.read), [true, true, true]);
  assert.deepEqual(['false', 'off', '0'].map(boolean.read), [false, false, false]);
  assert.deepEqual(['yes', '2', 'enabled'].map(boolean.read), [undefined, undefined, undefined]);
});
