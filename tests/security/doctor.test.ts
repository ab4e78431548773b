// The hardening checklist: for every check, what makes it fail and what makes it fine. The database checks look at real
// databases; only a clock and a disk that are wrong are given as figures.

import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../server/src/config/config.ts';
import {
  assessDurability,
  assessHolds,
  assessMigrations,
  assessSkew,
} from '../../server/src/programs/doctor/database-checks.ts';
import {
  assessDevelopmentKeys,
  inspectDevelopmentKeyFile,
} from '../../server/src/programs/doctor/development-key-checks.ts';
import {
  assessAccount,
  assessDiskSpace,
  assessFiles,
  inspectFolder,
} from '../../server/src/programs/doctor/machine-checks.ts';
import { checkSettings, SETTINGS_CHECKS } from '../../server/src/programs/doctor/settings-checks.ts';
import { verdictsToLog } from '../../server/src/programs/doctor/start-checks.ts';
import { failed, fine, warning } from '../../server/src/programs/doctor/verdict.ts';
import { wantsSandbox } from '../../server/src/providers/providers.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';

type Env = Record<string, string>;

const RANDOM = '9f8c1e07b35d42aa6e01d7c4f2b89d3a55c07e1f';
const OPEN: Env = { HOST: '0.0.0.0' };
const PROXY: Env = { HOST: '0.0.0.0', TRUST_PROXY: '1' };
const REAL: Env = {
  ESCROW_PROVIDER_URL: 'https://escrow.example',
  ESCROW_PROVIDER_API_KEY: 'k',
  ESCROW_CODE_HASH_SINGLE: '0f'.repeat(32),
  ESCROW_CODE_HASH_MULTI: 'f0'.repeat(32),
  LEDGER_RPC_URL: 'https://rpc.example',
  LEDGER_URL: 'https://ledger.example',
  LEDGER_NETWORK_PASSPHRASE: 'A network',
  LEDGER_ASSET_ISSUER: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  PAYMENT_PROVIDER_URL: 'https://pay.example',
  PAYMENT_PROVIDER_KEY: 'k',
  PAYMENT_PROVIDER_SECRET: 's',
  PAYMENT_PROVIDER_PAYER_URL: 'https://pay.example',
};

const seen = (env: Env): Record<string, string> => {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.problems.join(' '));
  const verdicts = checkSettings({ config: read.config, sandboxIsOn: wantsSandbox(read.config) });
  return Object.fromEntries(verdicts.map(({ name, state }) => [name, state]));
};

/** Check, settings, and what it says of them. */
const CASES: readonly (readonly [string, Env, string])[] = [
  ['tls', {}, 'ok'],
  ['tls', OPEN, 'failed'],
  ['tls', PROXY, 'ok'],
  ['sandbox', {}, 'ok'],
  ['sandbox', OPEN, 'failed'],
  ['sandbox', { TRUST_PROXY: '1' }, 'failed'],
  ['sandbox', { ...PROXY, SANDBOX: 'off' }, 'ok'],
  ['payment-webhook-secret', REAL, 'failed'],
  ['payment-webhook-secret', { ...REAL, PAYMENT_WEBHOOK_SECRET: `whsec_${RANDOM}` }, 'ok'],
  ['payment-webhook-secret', {}, 'ok'],
  ['escrow-webhook-secret', REAL, 'warning'],
  ['escrow-webhook-secret', { ...REAL, ESCROW_WEBHOOK_SECRET: `whsec_${RANDOM}` }, 'ok'],
  ['escrow-webhook-check', {}, 'ok'],
  ['escrow-webhook-check', REAL, 'ok'],
  ['escrow-webhook-check', { ...REAL, ESCROW_WEBHOOK_SECRET: `whsec_${RANDOM}` }, 'failed'],
  ['escrow-webhook-check', { ...REAL, ESCROW_WEBHOOK_SECRET: `whsec_${RANDOM}`, ESCROW_WEBHOOK_CHECK: 'verify' }, 'ok'],
  ['secrets', {}, 'ok'],
  ['secrets', { MASTER_KEY: RANDOM, JWT_SECRET: `${RANDOM}${RANDOM}`, METRICS_TOKEN: RANDOM.slice(20) }, 'ok'],
  ['secrets', { MASTER_KEY: 'change-me-change-me-change-me-please' }, 'failed'],
  ['secrets', { MASTER_KEY: RANDOM.slice(0, 20) }, 'failed'],
  ['secrets', { JWT_SECRET: 'this-is-the-default-secret-of-the-template' }, 'failed'],
  ['secrets', { PAYMENT_WEBHOOK_SECRET: 'whsec_short' }, 'failed'],
  ['secrets', { ESCROW_WEBHOOK_SECRET: 'whsec_0123456789-0123456789-0123456789' }, 'failed'],
  ['wallet-kek', {}, 'ok'],
  ['wallet-kek', REAL, 'failed'],
  ['wallet-kek', { ...REAL, WALLET_KEK: `1:${Buffer.from(RANDOM.slice(0, 32)).toString('base64')}` }, 'ok'],
  ['order-routes-auth', {}, 'ok'],
  ['order-routes-auth', { ORDER_ROUTES_AUTH: 'off' }, 'failed'],
  ['escrow-init-auth', {}, 'ok'],
  ['escrow-init-auth', OPEN, 'warning'],
  ['escrow-init-auth', { ...OPEN, ESCROW_INIT_AUTH: 'required' }, 'ok'],
  ['escrow-init-auth', { ...OPEN, SURFACE_B: 'off' }, 'ok'],
  ['rate-limit', {}, 'ok'],
  ['rate-limit', { RATE_LIMIT_MAX: '1000000' }, 'warning'],
  ['shares', {}, 'ok'],
  ['shares', { SSE_CONNECTIONS_PER_KEY_MAX: '10000' }, 'warning'],
  ['shares', { SSE_CONNECTIONS_PER_MARKETPLACE_MAX: '20000' }, 'warning'],
  ['shares', { HEAVY_READS_PER_MARKETPLACE_MAX: '4' }, 'warning'],
  ['hints', {}, 'ok'],
  ['hints', { HINTS_PER_MINUTE: '25' }, 'ok'],
  ['hints', { HINTS_PER_MINUTE: '26' }, 'warning'],
  ['hints', { HINTS_PER_MINUTE: '26', ESCROW_PROVIDER_RATE_PER_MINUTE: '0' }, 'ok'],
  ['cors', { CORS_ORIGINS: 'https://shop.example,http://localhost:5173' }, 'ok'],
  ['cors', { CORS_ORIGINS: 'http://shop.example' }, 'warning'],
  ['metrics', {}, 'ok'],
  ['metrics', { TRUST_PROXY: '1' }, 'failed'],
  ['metrics', { TRUST_PROXY: '1', METRICS_TOKEN: RANDOM }, 'ok'],
  ['database-tls', {}, 'ok'],
  ['database-tls', { DATABASE_URL: 'postgres:///holdfast?host=/run/postgresql' }, 'ok'],
  ['database-tls', { DATABASE_URL: 'postgres://a:b@127.0.0.1/holdfast' }, 'ok'],
  ['database-tls', { DATABASE_URL: 'postgres://a:b@db.example/holdfast' }, 'failed'],
  ['database-tls', { DATABASE_URL: 'postgres://a:b@db.example/holdfast?sslmode=disable' }, 'failed'],
  ['database-tls', { DATABASE_URL: 'postgres://a:b@db.example/holdfast?sslmode=no-verify' }, 'warning'],
  ['database-tls', { DATABASE_URL: 'postgres://a:b@db.example/holdfast?sslmode=verify-full' }, 'ok'],
];

test('every check of the settings says what the table says, and none is without a case', () => {
  for (const [name, env, state] of CASES) assert.equal(seen(env)[name], state, `${name} ${JSON.stringify(env)}`);
  assert.deepEqual([...new Set(CASES.map(([name]) => name))].sort(), SETTINGS_CHECKS.map(({ name }) => name).sort());
});

test('CORS for everybody is not even a setting', () => {
  assert.equal(readConfig({ CORS_ORIGINS: '*' }).ok, false);
});

test('without a provider no webhook is called verified, and the remedy for a secret has the form of its setting', () => {
  const checks = (env: Env) => {
    const read = readConfig(env);
    if (!read.ok) throw new Error(read.problems.join(' '));
    const all = checkSettings({ config: read.config, sandboxIsOn: wantsSandbox(read.config) });
    return (name: string) => all.find((check) => check.name === name)!;
  };
  assert.equal(checks({})('payment-webhook-secret').detail, 'No payment provider is set.');
  assert.equal(checks({})('escrow-webhook-secret').detail, 'No escrow provider is set.');
  const weak = checks({
    MASTER_KEY: 'change-me-change-me-change-me-please',
    ESCROW_WEBHOOK_SECRET: 'whsec_0123456789-0123456789',
  });
  const { remedy } = weak('secrets');
  assert.match(remedy!, /MASTER_KEY=\$\(openssl rand -hex 32\)/);
  assert.match(remedy!, /ESCROW_WEBHOOK_SECRET=whsec_\$\(openssl rand -base64 32\)/);
});

test('no verdict about the settings quotes a secret', () => {
  const read = readConfig({
    ...REAL,
    MASTER_KEY: 'hunter22-hunter22',
    DATABASE_URL: 'postgres://a:hunter22@db.example/b',
  });
  assert.ok(read.ok);
  assert.equal(JSON.stringify(checkSettings({ config: read.config, sandboxIsOn: true })).includes('hunter22'), false);
});

test('a data folder that other users can list, or a secrets file that they can read, fails', async (t) => {
  const folder = path.join(await temporaryFolder(t), 'data');
  assert.equal((await inspectFolder(folder)).state, 'ok');
  await mkdir(folder, { mode: 0o711 });
  const secrets = path.join(folder, 'secrets.json');
  await writeFile(secrets, '{}', { mode: 0o600 });
  assert.equal((await inspectFolder(folder)).state, 'ok');
  await chmod(secrets, 0o640);
  assert.match((await inspectFolder(folder)).detail, /^Other users can read secrets\.json \(mode 640\)/);
  await chmod(secrets, 0o600);
  await chmod(folder, 0o755);
  assert.equal((await inspectFolder(folder)).state, 'failed');
});

test('a development key fails when others can read it, or when the server may not have one', async (t) => {
  const folder = await temporaryFolder(t);
  const look = async (env: Env) => {
    const read = readConfig({ DATA_DIR: folder, ...env });
    if (!read.ok) throw new Error(read.problems.join(' '));
    return (await inspectDevelopmentKeyFile({ config: read.config, sandboxIsOn: wantsSandbox(read.config) })).state;
  };
  assert.deepEqual([await look({}), await look(OPEN)], ['ok', 'ok'], 'without the file nothing is wrong');
  const file = path.join(folder, 'dev-key.json');
  await writeFile(file, '{}', { mode: 0o600 });
  assert.equal(await look({}), 'ok');
  for (const env of [OPEN, PROXY, { TRUST_PROXY: '1' }, { SANDBOX: 'off' }, REAL]) {
    assert.equal(await look(env), 'failed', JSON.stringify(env));
  }
  await chmod(file, 0o640);
  assert.equal(await look({}), 'failed');
});

test('an active development key in the database fails only where the server may not have one', () => {
  const states = [
    assessDevelopmentKeys([], 'of a reason'),
    assessDevelopmentKeys(['key_1'], null),
    assessDevelopmentKeys(['key_1'], 'of a reason'),
  ].map(({ state }) => state);
  assert.deepEqual(states, ['ok', 'ok', 'failed']);
});

test('payments that are on hold are a warning that says since when, why and what to do', () => {
  const seen = (summary: Partial<Parameters<typeof assessHolds>[0]>) =>
    assessHolds({ reason: null, since: null, wallets: 0, ...summary });
  assert.equal(seen({}).state, 'ok');
  const all = seen({ reason: 'Restored.', since: '2026-01-01T00:00:00.000000Z', wallets: 2 });
  assert.equal(all.state, 'warning');
  assert.match(all.detail, /on hold since 2026-01-01T00:00:00.000000Z: Restored\. Wallets .*: 2\. Nothing is paid/);
  assert.match(all.remedy ?? '', /holdfast payments release/);
  const some = seen({ wallets: 1 });
  assert.deepEqual([some.state, /release --wallet/.test(some.remedy ?? '')], ['warning', true]);
});

test('little free space on the disk is a warning, and hardly any fails', () => {
  assert.deepEqual(
    [50 * 2 ** 30, 2 ** 30, 2 ** 20].map((bytes) => assessDiskSpace(bytes).state),
    ['ok', 'warning', 'failed'],
  );
});

test('a limit of open files below what the settings allow is a warning, and a very low limit fails', () => {
  const limits = (soft: string) => `Limit  Soft Limit\nMax open files            ${soft}    4096  files\n`;
  assert.deepEqual(
    ['1048576', 'unlimited', '4096', '256'].map((soft) => assessFiles(limits(soft), 20_000).state),
    ['ok', 'ok', 'warning', 'failed'],
  );
  assert.equal(assessFiles(null, 20_000).state, 'unknown');
});

test('running as root is a warning', () => {
  assert.deepEqual(
    [0, 1000, null].map((uid) => assessAccount(uid).state),
    ['warning', 'ok', 'ok'],
  );
});

test('a database that may lose acknowledged commits fails: fsync, full pages, synchronous commit', () => {
  const sound = { fsync: 'on', pages: 'on', commit: 'on' };
  assert.equal(assessDurability(sound).state, 'ok');
  assert.equal(assessDurability({ ...sound, commit: 'remote_apply' }).state, 'ok');
  for (const bad of [{ fsync: 'off' }, { pages: 'off' }, { commit: 'off' }]) {
    assert.equal(assessDurability({ ...sound, ...bad }).state, 'failed');
  }
});

test('clocks that differ by a second or more are a warning, and by five or more fail, in either direction', () => {
  assert.deepEqual(
    [20, -999, 1_500, -4_000, 6_000, -60_000].map((ms) => assessSkew(ms).state),
    ['ok', 'ok', 'warning', 'warning', 'failed', 'failed'],
  );
});

test('pending migrations fail, and so do those of a newer version', () => {
  assert.equal(assessMigrations(['0001_a', '0002_b'], ['0001_a', '0002_b']).state, 'ok');
  assert.match(assessMigrations(['0001_a', '0002_b'], ['0001_a']).detail, /0002_b/);
  assert.match(assessMigrations(['0001_a'], ['0001_a', '0009_z']).detail, /newer version: 0009_z/);
});

test('a starting server logs failed checks always, and warnings only when other machines can reach it', () => {
  const verdicts = [
    { name: 'clock', ...failed('late', 'mend') },
    { name: 'account', ...warning('root', 'mend') },
    { name: 'tls', ...fine('good') },
    { name: 'order-routes-auth', ...failed('said by the settings already', 'mend') },
  ];
  const said = (reachable: boolean) => verdictsToLog(verdicts, { reachable }).map(({ name }) => name);
  assert.deepEqual([said(false), said(true)], [['clock'], ['clock', 'account']]);
});
