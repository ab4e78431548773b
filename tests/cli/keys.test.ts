// Keys and where the tool finds them: options, the environment, and what login kept. A key is shown once and leaks nowhere.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { MASTER_KEY } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

test('keys, and where they are kept', { timeout: 300_000 }, async (t) => {
  const app = await openApp(t);
  const master = await openTool(t, { url: app.url, key: MASTER_KEY, marketplace: app.marketplaceId });

  await t.test('a key is made, listed without its secret, rotated, turned into a token and revoked', async () => {
    const made = await master.run(['keys', 'create', 'shop', '--scope', 'read', '--scope', 'write', '--json']);
    assert.equal(made.code, 0, made.err);
    const { id, key, scopes } = made.json;
    assert.deepEqual(scopes, ['read', 'write']);
    const list = await master.run(['keys', 'list']);
    assert.match(list.out, new RegExp(`${id}\\s+shop\\s+read write`));
    assert.ok(!list.out.includes(key));
    const unscoped = await master.run(['disputes', 'assign', 'dsp_01', 'grace', '--key', key]);
    assert.equal(unscoped.code, 1);
    assert.match(unscoped.err, /^INSUFFICIENT_SCOPE: The key lacks a scope that this route needs\.$/m);
    assert.match(unscoped.err, /Required scope: support\. Scopes of the key: read, write\./);
    const rotated = (await master.run(['keys', 'rotate', id, '--json'])).json;
    assert.notEqual(rotated.key, key);
    const token = (await master.run(['keys', 'token', id, '--scope', 'read', '--json'])).json;
    const me = (await master.run(['whoami', '--json', '--key', token.token])).json;
    assert.deepEqual([me.type, me.scopes], ['token', ['read']]);
    assert.match((await master.run(['keys', 'revoke', id])).out, /REVOKED/);
    const refused = await master.run(['whoami', '--key', rotated.key]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /UNAUTHORIZED/);
  });

  await t.test('another marketplace than that of the key is wrong usage, and nothing is sent', async (sub) => {
    const key = await app.key(['*']);
    const tool = await openTool(sub, { url: app.url, key });
    const beta = ['--marketplace', 'mkt_beta'];
    const refused = await tool.run([...beta, 'users', 'create', 'wrong', '--credit', '5.00', '--verbose']);
    assert.equal(refused.code, 2);
    const owner = `This key belongs to ${app.marketplaceId}. Give the master key with \`--key\`, or a key of mkt_beta.`;
    assert.ok(refused.err.includes(`\`--marketplace mkt_beta\` needs the master key. ${owner}`), refused.err);
    assert.doesNotMatch(refused.err, /POST/);
    assert.equal((await tool.run(['users', 'list', '--ids'])).out, '');
    assert.equal((await tool.run(['--marketplace', app.marketplaceId, 'users', 'list'])).code, 0);
    const byEnvironment = await tool.run(['users', 'list'], { env: { HOLDFAST_MARKETPLACE: 'mkt_beta' } });
    assert.equal(byEnvironment.code, 2);
    assert.match(byEnvironment.err, /`HOLDFAST_MARKETPLACE=mkt_beta` needs the master key/);
    const { id } = (await master.run(['keys', 'create', 'for-a-token', '--json'])).json;
    const { token } = (await master.run(['keys', 'token', id, '--json'])).json;
    assert.equal((await tool.run([...beta, 'users', 'list', '--key', token])).code, 2);
    assert.equal((await tool.run([...beta, 'users', 'list', '--key', MASTER_KEY])).code, 0);
    const saved = await tool.run([...beta, 'login', '--url', app.url], { input: `${key}\n` });
    assert.equal(saved.code, 2, saved.err);
  });

  await t.test('limits of a marketplace are set and shown, and a refusal names the limit', async () => {
    const { marketplaceId } = app;
    assert.match((await master.run(['limits', 'show', marketplaceId])).err, /No limits are set/);
    const set = await master.run(['limits', 'set', marketplaceId, '--currency', 'USD', '--credit-per-user', '5.00']);
    assert.equal(set.code, 0, set.err);
    assert.match(set.out, /credits by hand of one user\s+5\.00 USD a day/);
    assert.match(set.out, /withdrawals of all users\s+no limit/);
    assert.doesNotMatch(set.out, /Removed/);
    const refused = await master.run(['users', 'credit', await app.aUser(), '5.01']);
    assert.deepEqual([refused.code, /^DAILY_LIMIT_EXCEEDED: At most 5\.00 USD more/m.test(refused.err)], [1, true]);
    assert.match(refused.err, /A repeat needs a new Idempotency-Key\./);
    assert.match(refused.err, /Limit of a day: 5\.00 USD\. Used today: 0\.00 USD\. Requested: 5\.01 USD\./);
    assert.match(refused.err, /The new day begins at \d{4}-\d\d-\d\dT00:00:00/);
    const shown = await master.run(['limits', 'show', marketplaceId, '--json']);
    assert.equal(shown.json[0].manualCreditPerUserDay, '5.00');
    const replaced = await master.run(['limits', 'set', marketplaceId, '--currency', 'USD', '--credit', '9.00']);
    assert.match(replaced.out, /^Removed: credits by hand of one user, 5\.00 USD a day\.$/m);
    const { out: help } = await master.run(['limits', 'set', '--help']);
    assert.match(help.replace(/\s+/g, ' '), /replace all four limits .* from the moment the first limit .* is set/);
    await master.run(['limits', 'set', marketplaceId, '--currency', 'USD']);
  });

  await t.test('float and credit line of a marketplace are set and shown', async () => {
    const { marketplaceId } = app;
    const line = await master.run(['marketplaces', 'credit-line', marketplaceId, '25.00']);
    assert.equal(line.code, 0, line.err);
    assert.match(line.out, /^The credit line of \S+ is 25\.00 USD\.$/m);
    assert.doesNotMatch(line.out, /still owed/);
    const titles = ['float', 'allotted, not used', 'credit line', 'used of it', 'open withdrawals', 'available'];
    for (const title of titles) assert.match(line.out, new RegExp(`^${title}\\s+\\d+\\.00 USD$`, 'm'));
    const taken = await master.run(['marketplaces', 'float', marketplaceId, '1.00', '--take-back']);
    assert.deepEqual([taken.code, /^INSUFFICIENT_FUNDS/m.test(taken.err)], [1, true]);
    assert.match((await master.run(['marketplaces', 'list'])).out, new RegExp(marketplaceId));
    const shown = await master.run(['marketplaces', 'show', marketplaceId, '--json']);
    assert.equal(shown.json.float.available, '25.00');
    await master.run(['marketplaces', 'credit-line', marketplaceId, '0.00']);
  });

  await t.test(
    'the payment account of a marketplace is shown, and secrets come from a file or standard input',
    async () => {
      const account = ['marketplaces', 'payment-provider'];
      const { marketplaceId } = app;
      const shown = await master.run([...account, 'show', marketplaceId]);
      assert.equal(shown.code, 0, shown.err);
      assert.match(shown.out, /payment account\s+the one that all marketplaces share/);
      const secret = 'a-secret-that-must-not-appear';
      for (const input of ['', `{"apiKey": "${secret}"`, `["${secret}"]`]) {
        const wrong = await master.run([...account, 'set', marketplaceId], { input });
        assert.equal(wrong.code, 2, wrong.err);
        assert.match(
          wrong.err,
          /Standard input does not contain a JSON object with apiKey, apiSecret and webhookSecret/,
        );
        assert.ok(!(wrong.out + wrong.err).includes(secret));
      }
      const lost = await master.run([...account, 'set', marketplaceId, '--from', 'no-such-file.json']);
      assert.deepEqual([lost.code, /no-such-file\.json cannot be read \(ENOENT\)/.test(lost.err)], [2, true]);
      const argument = await master.run([...account, 'set', marketplaceId, '--api-secret', secret]);
      assert.equal(argument.code, 2, 'no option takes a secret');
      const removed = await master.run([...account, 'remove', marketplaceId, '--json']);
      assert.equal(removed.json.account, 'shared');
    },
  );

  await t.test(
    'what only the master key may do, and a marketplace that does not exist, name the right next step',
    async () => {
      const notMaster = await master.run(['marketplaces', 'list', '--key', await app.key(['*'])]);
      assert.equal(notMaster.code, 1);
      assert.match(notMaster.err, /^Only the master key may do this\. Ask the operator\.$/m);
      assert.doesNotMatch(notMaster.err, /keys create/);
      const none = await master.run(['marketplaces', 'float', 'mkt_typo', '5.00']);
      assert.match(none.err, /^MARKETPLACE_NOT_FOUND: .*create its first key with the master key to begin one\.$/m);
      assert.match(none.err, /begins with its first key: `holdfast --marketplace <id> keys create <name>`/);
    },
  );

  await t.test('a wrong key is refused with what to do, and appears nowhere', async () => {
    const wrong = 'hf_default_wrong-key-0123456789';
    const { code, out, err } = await master.run(['users', 'list', '--verbose', '--key', wrong]);
    assert.equal(code, 1);
    assert.match(err, /HOLDFAST_KEY, or save one with `holdfast login`/);
    assert.match(err, /key set \(--key\)/);
    assert.ok(!(out + err).includes(wrong));
    const torn = await master.run(['users', 'list', '--verbose', '--key', `${wrong}\n${wrong}`]);
    assert.equal(torn.code, 1);
    assert.ok(!(torn.out + torn.err).includes(wrong));
  });

  await t.test('login checks the key, keeps it for its owner alone, and logout forgets it', async (sub) => {
    const tool = await openTool(sub);
    const key = await app.key(['read']);
    const bad = await tool.run(['login', '--url', app.url], { input: 'nonsense\n' });
    assert.equal(bad.code, 1);
    const good = await tool.run(['login', '--url', app.url], { input: `${key}\n` });
    assert.equal(good.code, 0, good.err);
    assert.ok(!(good.out + good.err).includes(key));
    const file = path.join(tool.folder, '.config/holdfast/profile.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).url, app.url);
    const me = (await tool.run(['whoami', '--json'])).json;
    assert.deepEqual([me.url, me.from.key], [app.url, file]);

    // The CLI does not send a stored key to another server.
    const elsewhere = await tool.run(['whoami', '--verbose', '--url', app.url.replace('127.0.0.1', 'localhost')]);
    assert.match(elsewhere.err, /key none/);
    assert.equal(elsewhere.code, 1);

    assert.equal((await tool.run(['logout'])).code, 0);
    assert.match((await tool.run(['whoami', '--url', app.url])).err, /UNAUTHORIZED/);
  });

  await t.test('login with nothing to read is wrong usage', async (sub) => {
    const tool = await openTool(sub);
    assert.equal((await tool.run(['login', '--url', app.url])).code, 2);
  });

  await t.test(
    'the list of processes does not show a key that was given as an option',
    { skip: process.platform !== 'linux' },
    async () => {
      const user = await app.aUser();
      const running = master.start(['events', 'tail', '--since', '1h', '--key', MASTER_KEY]);
      await running.says(user);
      const shown = readFileSync(`/proc/${running.child.pid}/cmdline`, 'utf8');
      assert.ok(!shown.includes(MASTER_KEY), shown);
      running.interrupt();
      assert.equal((await running.ended).code, 0);
    },
  );
});
