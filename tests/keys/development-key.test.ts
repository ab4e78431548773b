// The development key: which servers may have one, that it is kept between starts, and that every other server revokes
// it. The database, the committer and the file are real.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { type Env, readConfig } from '../../server/src/config/config.ts';
import { developmentKeyFile, whyNoDevelopmentKey } from '../../server/src/config/reach.ts';
import { keepDevelopmentKey, withdrawDevelopmentKeys } from '../../server/src/modules/api-keys/development-keys.ts';
import type { Log } from '../../server/src/observability/logs.ts';
import { wantsSandbox } from '../../server/src/providers/providers.ts';
import { nextSteps, welcomeLines } from '../../server/src/welcome.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { type KeyServer, openKeyServer } from './key-server.ts';

const URL_A = 'http://127.0.0.1:4000';
const URL_B = 'http://127.0.0.1:4100';
const SHOP = 'mkt_shop';

const configOf = (env: Env) => {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.problems.join(' '));
  return read.config;
};

test('only a server with the sandbox, on loopback, without a proxy and with a local database may have a development key', () => {
  const cases: readonly (readonly [Env, RegExp | null])[] = [
    [{}, null],
    [{ HOST: 'localhost', SANDBOX: 'on', LEDGER_URL: 'http://127.0.0.1:8000' }, null],
    [{ HOST: '::1', DATABASE_URL: 'postgres:///holdfast?host=/run/postgresql' }, null],
    [{ DATABASE_URL: 'postgres://a:b@127.0.0.1/holdfast' }, null],
    [{ SANDBOX: 'off' }, /does not start the sandbox/],
    [{ LEDGER_URL: 'http://127.0.0.1:8000' }, /does not start the sandbox/],
    [{ HOST: '0.0.0.0' }, /HOST=0\.0\.0\.0/],
    [{ HOST: '::' }, /HOST=::/],
    [{ HOST: '10.1.2.3', SANDBOX: 'on' }, /HOST=10\.1\.2\.3/],
    [{ HOST: 'shop.example' }, /HOST=shop\.example/],
    [{ TRUST_PROXY: '1' }, /TRUST_PROXY/],
    [{ TRUST_PROXY: '127.0.0.1' }, /TRUST_PROXY/],
    [{ DATABASE_URL: 'postgres://a:b@db.example/holdfast' }, /database is on another machine/],
    [{ DATABASE_URL: 'postgres://a:b@localhost/holdfast?host=db.example' }, /database is on another machine/],
  ];
  for (const [env, expected] of cases) {
    const config = configOf(env);
    const why = whyNoDevelopmentKey({ config, sandboxIsOn: wantsSandbox(config) });
    if (expected === null) assert.equal(why, null, JSON.stringify(env));
    else assert.match(why ?? '', expected, JSON.stringify(env));
  }
});

test('three lines say what to do next, with a development key and without', () => {
  const config = configOf({ DATA_DIR: '/srv/a shop' });
  const ready = { address: URL_A, config, sandboxUrl: null, developmentKey: '/srv/a shop/dev-key.json' };
  const lines = welcomeLines({ ...ready, masterKey: 'master_1' });
  assert.match(lines[0]!, /4000\/console .*the key in \/srv\/a shop\/dev-key\.json$/);
  assert.match(lines[1]!, /: DATA_DIR='\/srv\/a shop' npx holdfast orders run --amount 20\.00 --release$/);
  assert.match(lines[2]!, /4000\/docs$/);
  assert.equal(lines[3], '');
  assert.equal(lines.join('\n').split('master_1').length, 2, 'the master key is shown once');
  assert.match(lines.join('\n'), /Development key +\/srv\/a shop\/dev-key\.json/);
  assert.match(lines.join('\n'), /every scope in one marketplace, not the rights of the master key/);

  assert.doesNotMatch(lines.join('\n'), /First administrator/);
  const firstAdminUrl = `${URL_A}/console/join#hff_1`;
  const first = welcomeLines({ ...ready, masterKey: null, firstAdminUrl }).join('\n');
  assert.match(first, /First administrator +http\S+4000\/console\/join#hff_1 \(opens once, within a day/);

  const without = { ...ready, developmentKey: null, masterKey: null };
  assert.match(nextSteps(without).join('\n'), /holdfast login --url \S+4000\n.*holdfast keys create shop\n.*\/docs$/);
  assert.doesNotMatch(welcomeLines(without).join('\n'), /Development key|dev-key|null/);
  const usual = { ...ready, config: configOf({}), masterKey: null };
  assert.match(nextSteps(usual)[1], /: npx holdfast orders run/);
});

type Place = Awaited<ReturnType<typeof openPlace>>;

/** A data folder and a database that several starts of a server share. */
const openPlace = async (t: TestContext) => {
  const server = await openKeyServer();
  afterwards(t, server.close);
  const dataDir = await temporaryFolder(t);
  const said: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void said.push(line) }) as Log;
  const file = developmentKeyFile(dataDir);
  const keep = (of: { url?: string; marketplaceId?: string; server?: KeyServer } = {}) =>
    keepDevelopmentKey({
      dataDir,
      log,
      keys: (of.server ?? server).developmentKeys,
      url: of.url ?? URL_A,
      marketplaceId: of.marketplaceId ?? 'mkt_default',
    });
  return {
    server,
    dataDir,
    file,
    said,
    keep,
    read: () => JSON.parse(readFileSync(file, 'utf8')) as Record<'url' | 'key' | 'marketplaceId', string>,
    withdraw: () => withdrawDevelopmentKeys({ dataDir, log, keys: server.developmentKeys, why: 'of the test' }),
  };
};

const keyAfter = async (place: Place, start: () => Promise<unknown>): Promise<string> => {
  await start();
  return place.read().key;
};

test('a start keeps the key and the file mode, and updates the address when it changed', async (t) => {
  const place = await openPlace(t);
  assert.equal(await place.keep(), place.file);
  const first = place.read();
  assert.deepEqual([first.url, first.marketplaceId], [URL_A, 'mkt_default']);
  assert.equal(statSync(place.file).mode & 0o777, 0o600);
  const { body } = await place.server.ask('GET', '/auth/me', { key: first.key });
  assert.deepEqual([body.data.apiKeyName, body.data.scopes], ['development', ['*']]);

  await place.keep({ url: URL_B });
  assert.deepEqual(place.read(), { ...first, url: URL_B });
  assert.equal(statSync(place.file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(place.dataDir), ['dev-key.json'], 'no draft is left behind');
  assert.equal((await place.server.developmentKeys.listActive()).length, 1);
  assert.equal(place.said.join('').includes(first.key), false, 'the log does not quote the key');
});

test('a key that is broken, revoked, of another database or of another marketplace is replaced by a new one', async (t) => {
  const place = await openPlace(t);
  const seen = [await keyAfter(place, () => place.keep())];
  const expectNew = async (start: () => Promise<unknown>): Promise<void> => {
    const key = await keyAfter(place, start);
    assert.equal(seen.includes(key), false);
    seen.push(key);
  };
  for (const broken of ['', '{', 'null', '{"key":7}', '{"key":"hf_no-key"}']) {
    writeFileSync(place.file, broken);
    await expectNew(() => place.keep());
  }
  const { find, revoke } = place.server.developmentKeys;
  await revoke((await find(place.read().key))!);
  await expectNew(() => place.keep());
  await expectNew(() => place.keep({ marketplaceId: SHOP }));
  assert.equal(place.read().marketplaceId, SHOP);

  const other = await openKeyServer();
  afterwards(t, other.close);
  await expectNew(() => place.keep({ server: other }));
  assert.equal(await other.statusOf(place.read().key), 200);
});

test('a key that other users could read is revoked and replaced', async (t) => {
  const place = await openPlace(t);
  const leaked = await keyAfter(place, () => place.keep());
  chmodSync(place.file, 0o644);
  const fresh = await keyAfter(place, () => place.keep());
  assert.deepEqual([await place.server.statusOf(leaked), await place.server.statusOf(fresh)], [401, 200]);
  assert.equal(statSync(place.file).mode & 0o777, 0o600);
  assert.match(place.said.join(''), /other users could read/);
});

test('two servers that start at once leave one whole file with a key that works', async (t) => {
  const place = await openPlace(t);
  await Promise.all([place.keep({ url: URL_A }), place.keep({ url: URL_B })]);
  assert.equal(await place.server.statusOf(place.read().key), 200);
  assert.deepEqual(readdirSync(place.dataDir), ['dev-key.json']);
});

test('when the folder cannot be written no key stays active, and the start continues', async (t) => {
  const place = await openPlace(t);
  const keys = place.server.developmentKeys;
  const log = pino({ level: 'silent' }) as Log;
  const dataDir = `${place.dataDir}/missing`;
  assert.equal(await keepDevelopmentKey({ dataDir, keys, log, url: URL_A, marketplaceId: SHOP }), null);
  assert.deepEqual(await keys.listActive(), []);
});

test('a server that may not have a development key revokes all of them, removes the file, logs both, and keeps other keys', async (t) => {
  const place = await openPlace(t);
  // The file of the first is lost: a restored backup has no such file, and its database has the key.
  const lost = await keyAfter(place, () => place.keep({ marketplaceId: SHOP }));
  const kept = await keyAfter(place, () => place.keep());
  const others = [
    await place.server.makeKey({ name: 'development', scopes: ['read'] }),
    await place.server.makeKey({ name: 'shop', scopes: ['*'] }),
  ];
  await place.withdraw();
  assert.deepEqual([await place.server.statusOf(lost), await place.server.statusOf(kept)], [401, 401]);
  for (const { key } of others) assert.equal(await place.server.statusOf(key), 200);
  assert.equal(existsSync(place.file), false);
  assert.match(place.said.join(''), /a development key was revoked, because of the test/);
  assert.match(place.said.join(''), /dev-key\.json was removed, because of the test/);
  const actors = await place.server.pool.query("select actor_id from audit_entries where action = 'API_KEY_REVOKED'");
  assert.deepEqual(
    actors.rows.map((row) => row.actor_id),
    ['development-key', 'development-key'],
  );

  // A second call has nothing to do. A broken file is removed too.
  place.said.length = 0;
  await place.withdraw();
  assert.deepEqual(place.said, []);
  writeFileSync(place.file, '{');
  await place.withdraw();
  assert.equal(existsSync(place.file), false);
});
