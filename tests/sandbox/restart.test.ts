// What the sandbox said is still true after it was killed and started again from the same file.

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { openState } from '../../sandbox/src/state.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import {
  controlOf,
  openSandbox,
  payinBody,
  paymentOf,
  payoutBody,
  SECRET,
  startReceiver,
  startSandboxProcess,
} from './payment-client.ts';

type LedgerState = {
  readonly accounts: readonly { readonly address: string; readonly balances: { readonly native: string } }[];
  readonly transactions: readonly unknown[];
};

/** Every account that was answered is there, and not a unit of money was made or lost. */
const assertLedgerKept = ({ accounts, transactions }: LedgerState, answered: readonly string[]): void => {
  const known = new Set(accounts.map(({ address }) => address));
  for (const address of answered) assert.ok(known.has(address), `${address} was answered and is gone`);
  const units = accounts.map(({ balances }) => BigInt(balances.native.replace('.', '')));
  const fees = 100n * BigInt(transactions.length);
  assert.equal(
    units.reduce((sum, part) => sum + part, fees),
    3n * 900_000_000_000_000_000n,
  );
};

test('after kill -9 every answered call and account is still there, with the clock, the faults and the balance', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await startSandboxProcess(t, folder);
  const api = paymentOf(first.url);
  const control = controlOf(first.url);
  await control('POST /clock/advance', { seconds: 7 * 24 * 60 * 60 });
  await control('POST /faults', { operation: 'payin', fault: 'refusal', count: 2, match: 'top_bad' });
  await api('POST /payins', payinBody('top_bad'));
  await api('POST /payouts', payoutBody('wdr_1', { commit: true }));

  // Calls are under way all the time, so the kill falls between any two steps.
  const answered: string[] = [];
  const accounts: string[] = [];
  const enough = Promise.withResolvers<void>();
  let alive = true;
  const paying = Array.from({ length: 8 }, async (_, worker) => {
    for (let number = 0; alive; number++) {
      const code = `top_${worker}_${number}`;
      const created = await api('POST /payins', payinBody(code)).catch(() => null);
      const confirmed = created && (await control(`POST /payins/${code}/confirm`).catch(() => null));
      if (confirmed?.status === 200) answered.push(code);
      if (answered.length >= 50 && accounts.length >= 40) enough.resolve();
    }
  });
  const settling = Array.from({ length: 4 }, async () => {
    while (alive) {
      const address = Keypair.random().publicKey();
      const made = await fetch(`${first.url}/ledger/friendbot?addr=${address}`).catch(() => null);
      if (made?.status === 200) accounts.push(address);
    }
  });
  await enough.promise;
  await first.kill('SIGKILL');
  alive = false;
  await Promise.all([...paying, ...settling]);

  const second = await openSandbox(t, { stateFile: path.join(folder, 'sandbox.json') });
  const { body: state } = await controlOf(second.url)('GET /state');
  const confirmed = state.payins.filter(({ status }: { status: string }) => status === 'CONFIRMED');
  const codes = new Set(confirmed.map(({ code }: { code: string }) => code));
  for (const code of answered) assert.ok(codes.has(code), `${code} was answered and is gone`);
  const cents = 100_000_000_000 - 4000 + confirmed.length * 2550;
  assert.deepEqual(state.balance, { available: (cents / 100).toFixed(2), pending: '40.00' });
  assert.deepEqual([state.faults.length, state.faults[0].count, state.faults[0].match], [1, 1, 'top_bad']);
  assert.ok(Date.parse(state.time) - Date.now() > 6.9 * 24 * 60 * 60 * 1000);

  assertLedgerKept(state, accounts);

  const again = paymentOf(second.url);
  assert.equal((await again('POST /payins', payinBody('top_bad'))).status, 422);
  assert.equal((await again('POST /payins', payinBody(answered[0]!))).body.code, '415029');
  assert.equal((await again('GET /payouts/by-code/wdr_1')).body.status, 'COMMITTED');
});

test('webhooks that were still to be repeated, and payins still to expire, go on after a restart', async (t) => {
  const receiver = await startReceiver(t);
  const stateFile = path.join(await temporaryFolder(t), 'sandbox.json');
  const webhook = { url: receiver.url, secret: SECRET };
  const first = await openSandbox(t, { stateFile, payment: { webhook } });
  receiver.answerWith(500);
  await paymentOf(first.url)('POST /payins', payinBody('top_1'));
  await receiver.count(1);
  await first.clock.advance(0);
  await first.close();

  const second = await openSandbox(t, { stateFile, payment: { webhook } });
  await second.clock.advance(6000);
  assert.equal(receiver.received.length, 2);
  assert.equal(receiver.received[0]!.id, receiver.received[1]!.id);
  await second.clock.advance(15 * 24 * 60 * 60 * 1000);
  assert.equal(receiver.received[2]!.body.type, 'payin.canceled');
});

test('a webhook whose first attempt was cut off by a kill is sent after the restart', async (t) => {
  const receiver = await startReceiver(t);
  const stateFile = path.join(await temporaryFolder(t), 'sandbox.json');
  const state = openState({ file: stateFile });
  const table = state.slice('/payment-provider/v2').table<unknown>('webhooks');
  const body = JSON.stringify({ type: 'payin.created', data: {} });
  const sent = { id: 'msg_1', type: 'payin.created', about: 'a', code: null, body, status: 'waiting' };
  table.set('msg_1', { ...sent, fault: null, copies: 1, attempts: [], nextAtMs: Date.now() });
  state.close();
  await openSandbox(t, { stateFile, payment: { webhook: { url: receiver.url, secret: SECRET } } });
  const [webhook] = await receiver.count(1);
  assert.deepEqual([webhook!.id, webhook!.verified], ['msg_1', true]);
});

test('a line the killed process did not finish is left out, whole', async (t) => {
  const file = path.join(await temporaryFolder(t), 'state.json');
  const state = openState({ file });
  const amounts = state.slice('a').table<{ amount: bigint }>('amounts');
  amounts.set('one', { amount: 2n ** 70n });
  amounts.set('two', { amount: -3n });
  state.flush();
  state.close();
  appendFileSync(file, '[["a/amounts","one",{"amount":{"$bigint":"1"}}],["a/amou');

  const again = openState({ file });
  const kept = again.slice('a').table<{ amount: bigint }>('amounts');
  assert.deepEqual([...kept.values()], [{ amount: 2n ** 70n }, { amount: -3n }]);
  kept.delete('two');
  kept.set('three', { amount: 4n });
  again.close();
  const third = openState({ file });
  assert.deepEqual([...third.slice('a').table('amounts').keys()], ['one', 'three']);
  third.close();
});

test('the changes of one stretch are one line, and a start keeps only the latest records', async (t) => {
  const file = path.join(await temporaryFolder(t), 'state.json');
  const lines = () => readFileSync(file, 'utf8').trim().split('\n');
  const state = openState({ file });
  const table = state.slice('a').table<number>('numbers');
  for (let round = 0; round < 100; round++) {
    table.set('x', round);
    table.set('y', -round);
    state.flush();
  }
  assert.equal(lines().length, 100);
  state.close();
  openState({ file }).close();
  assert.deepEqual(lines(), ['[["a/numbers","x",99]]', '[["a/numbers","y",-99]]']);
});

test('a second sandbox on the same file is refused with a sentence that says what to do', async (t) => {
  const stateFile = path.join(await temporaryFolder(t), 'sandbox.json');
  const first = await openSandbox(t, { stateFile });
  await assert.rejects(
    startSandbox({ port: 0, stateFile }),
    /Another sandbox \(process \d+\) uses .*stop it, or choose/,
  );
  await paymentOf(first.url)('POST /payins', payinBody('top_1'));
  await first.close();
  const second = await openSandbox(t, { stateFile });
  assert.equal((await paymentOf(second.url)('GET /payins/by-code/top_1')).status, 200);
});

test('a sandbox that cannot listen leaves the file to the next one', async (t) => {
  const stateFile = path.join(await temporaryFolder(t), 'sandbox.json');
  const other = await openSandbox(t);
  const port = Number(new URL(other.url).port);
  await assert.rejects(startSandbox({ port, stateFile }), { code: 'EADDRINUSE' });
  await openSandbox(t, { stateFile });
});
