// The control API: what it does, and the sentences with which it refuses.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { FAULTS, OPERATIONS } from '../../sandbox/src/faults-table.ts';
import { readEnvironment } from '../../sandbox/src/main-environment.ts';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { controlOf, openSandbox, payinBody, paymentOf, payoutBody, shareSandbox } from './payment-client.ts';

const emptySandbox = shareSandbox();

async function open() {
  const sandbox = await emptySandbox();
  return { sandbox, control: controlOf(sandbox.url), api: paymentOf(sandbox.url) };
}

test('a fault is armed, listed and disarmed', async () => {
  const { control } = await open();
  const armed = await control('POST /faults', { operation: 'deploy', fault: 'timeout', count: 3, match: 'ord_1' });
  assert.equal(armed.status, 201);
  const { id, ...script } = armed.body;
  assert.deepEqual(script, { operation: 'deploy', fault: 'timeout', count: 3, delayMs: null, match: 'ord_1' });
  await control('POST /faults', { operation: 'webhook', fault: 'late', delayMs: 5000 });
  const { body } = await control('GET /faults');
  assert.deepEqual(
    body.faults.map((fault: { id: string; count: number }) => [fault.id, fault.count]),
    [
      [id, 3],
      ['fault_2', 1],
    ],
  );
  assert.equal((await control('DELETE /faults')).status, 200);
  assert.deepEqual((await control('GET /faults')).body.faults, []);
});

test('an unknown operation or fault is 400 with the list of known ones', async () => {
  const { control } = await open();
  const operation = await control('POST /faults', { operation: 'deploi', fault: 'timeout' });
  assert.equal(operation.status, 400);
  assert.match(
    operation.body.error,
    /Unknown operation "deploi".*deploy, fund, change-status, .*transaction-get, payments-get, .*webhook\./,
  );
  const fault = await control('POST /faults', { operation: 'deploy', fault: 'meteor' });
  assert.equal(fault.status, 400);
  assert.match(fault.body.error, /Unknown fault "meteor".*timeout, refusal, .*lost-answer, .*drop, .*bad-signature\./);
  const pair = await control('POST /faults', { operation: 'webhook', fault: 'no-contract-id' });
  assert.equal(pair.status, 400);
  assert.match(pair.body.error, /is not supported by "webhook".*drop, duplicate, late, reorder, bad-signature\./);
  assert.deepEqual((await control('GET /faults')).body.faults, []);
});

test('a body that makes no sense is 400 with a sentence', async (t) => {
  const { control } = await open();
  const wrong: [string, unknown, RegExp][] = [
    ['/faults', undefined, /Send a JSON object with: operation, fault, count, delayMs, match\./],
    ['/faults', { operation: 'deploy', fault: 'slow', count: 0 }, /"count" must be a whole number from 1 to/],
    ['/faults', { operation: 'deploy', fault: 'slow', delayMs: -1 }, /"delayMs" must be a whole number from 0 to/],
    ['/faults', { operation: 'deploy', fault: 'slow', times: 2 }, /Unknown field "times"/],
    ['/clock/advance', { seconds: -5 }, /"seconds" must be a number from 0 .*only moves forward/],
    ['/faucet', { address: 'G', asset: 'BTC', amount: '1' }, /"asset" must be USDC or XLM/],
    ['/faucet', { address: 'G', asset: 'XLM', amount: '0' }, /"amount" must be a positive decimal/],
    ['/faucet', { address: 'G', asset: 'XLM', amount: '1.12345678' }, /at most seven decimal places/],
    ['/users', { email: 'unknown' }, /"email" must be an e-mail address/],
  ];
  for (const [path, body, sentence] of wrong) {
    const answer = await control(`POST ${path}`, body);
    assert.equal(answer.status, 400, path);
    assert.match(answer.body.error, sentence);
  }
  const broken = await fetch(`${(await openSandbox(t)).urls.control}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"operation":',
  });
  assert.deepEqual([broken.status, await broken.json()], [400, { error: 'The body is not valid JSON.' }]);
});

test('an unknown payin, payout or move is 404 with a sentence', async () => {
  const { control, api } = await open();
  assert.match(
    (await control('POST /payins/top_9/confirm')).body.error,
    /no payin "top_9": use the provider's id or the code/,
  );
  assert.match((await control('POST /payouts/wdr_9/complete')).body.error, /no payout "wdr_9"/);
  await api('POST /payouts', payoutBody('wdr_1'));
  const committed = await control('POST /payouts/wdr_1/commit');
  assert.equal(committed.status, 404);
  assert.match(committed.body.error, /Use one of: pend, require-action, complete, fail, cancel\./);
  assert.match(
    (await control('POST /payins/top_1/explode')).body.error,
    /Use one of: process, confirm, confirm-late, fail, cancel\./,
  );
  assert.match((await control('GET /nothing')).body.error, /The sandbox has no route GET \/control\/nothing/);
});

test('the clock moves forward by the given time', async () => {
  const { sandbox, control } = await open();
  const before = Date.parse((await control('GET /clock')).body.time);
  const { body } = await control('POST /clock/advance', { seconds: 3600 });
  const moved = Date.parse(body.time) - before;
  assert.ok(moved >= 3_600_000 && moved < 3_700_000, `moved by ${moved} ms`);
  assert.ok(sandbox.clock.now() >= before + 3_600_000);
});

test('the faucet says what is wrong with an address', async () => {
  const { control } = await open();
  const { status, body } = await control('POST /faucet', { address: 'nonsense', asset: 'XLM', amount: '5' });
  assert.ok(status >= 400 && status < 500, `${status}`);
  assert.equal(typeof body.error, 'string');
});

test('the state shows everything, and a reset makes it empty again', async () => {
  const { control, api } = await open();
  await api('POST /payins', payinBody('top_1'));
  await api('POST /payouts', payoutBody('wdr_1', { commit: true }));
  await control('POST /users', { email: 'ana@example.com', isVerified: false });
  await control('POST /faults', { operation: 'payin', fault: 'refusal' });
  await control('POST /clock/advance', { seconds: 60 * 60 });
  const { body: full } = await control('GET /state');
  assert.equal(full.payins[0].code, 'top_1');
  assert.equal(full.payouts[0].code, 'wdr_1');
  assert.deepEqual(full.balance, { available: '999999960.00', pending: '40.00' });
  assert.deepEqual([full.users.length, full.faults.length, full.webhooks.length], [1, 1, 2]);
  for (const part of ['accounts', 'contracts', 'transactions']) assert.ok(part in full, part);

  assert.equal((await control('POST /reset')).status, 200);
  const { body: empty } = await control('GET /state');
  assert.deepEqual([empty.payins, empty.payouts, empty.users, empty.faults, empty.webhooks], [[], [], [], [], []]);
  assert.deepEqual(empty.balance, { available: '1000000000.00', pending: '0.00' });
  assert.ok(Math.abs(Date.parse(empty.time) - Date.now()) < 60_000);
  assert.equal((await api('POST /payins', payinBody('top_1'))).status, 200);
});

test('a page of another site can neither call control nor reach it under a name of its own', async () => {
  const { sandbox } = await open();
  const statusWith = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const call = request(`${sandbox.urls.control}/reset`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.on('error', reject).end();
    });
  assert.equal(await statusWith({ host: 'evil.example:80' }), 403);
  assert.equal(await statusWith({ origin: 'https://evil.example' }), 403);
  assert.equal(await statusWith({ origin: 'null' }), 403);
  assert.equal(await statusWith({ origin: 'http://localhost:4000' }), 200);
});

test('a sandbox on an address others can reach is refused with a sentence that says what to do', async () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.com']) {
    await assert.rejects(startSandbox({ port: 0, host }), /is not loopback: use 127\.0\.0\.1, localhost or ::1/);
  }
});

test('a sandbox also answers on the other loopback address', async (t) => {
  const sandbox = await openSandbox(t, { host: 'localhost' });
  assert.equal((await controlOf(sandbox.url)('GET /clock')).status, 200);
});

test('every wrong setting is reported at once', () => {
  const wrong = {
    SANDBOX_PORT: 'x',
    SANDBOX_WEBHOOK_URL: 'ftp://a',
    SANDBOX_WEBHOOK_SPELLING: 'own',
    SANDBOX_RATE_LIMIT: '1',
  };
  assert.throws(
    () => readEnvironment(wrong),
    ({ message }: Error) =>
      ['SANDBOX_PORT', 'http or https', 'belong together', 'native or neutral', 'on or off'].every((part) =>
        message.includes(part),
      ),
  );
  const { port, stateFile, payment } = readEnvironment({ DATA_DIR: '/somewhere' });
  assert.deepEqual([port, stateFile, payment?.webhook], [4010, '/somewhere/sandbox.json', null]);
});

test('the page about the sandbox names every operation and every fault', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../../docs/sandbox.md'), 'utf8');
  const [, operations = ''] = page.split('| Operation |');
  for (const [name, faults] of Object.entries(OPERATIONS)) {
    const row = operations.split('\n').find((line) => line.split('|')[1]?.includes(`\`${name}\``));
    assert.ok(row, `no row for ${name}`);
    const listed = [...(row.split('|')[3] ?? '').matchAll(/`([a-z0-9-]+)`/g)].map(([, fault]) => fault);
    assert.deepEqual(new Set(listed), new Set(faults), name);
  }
  for (const fault of FAULTS) assert.ok(page.includes(`| \`${fault}\` |`), `no row for ${fault}`);
});
