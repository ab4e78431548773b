// Webhook endpoints from the command line, with a receiver on a real port: created, changed, tested, followed, and sent again.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { verifyWebhook } from '@holdfast/sdk';
import { until } from '../../tools/until.ts';
import { openApp } from '../support/shared-app.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { openTool } from './tool.ts';

const open = async (t: TestContext) => {
  const app = await openApp(t, { env: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } });
  const key = await app.key(['*']);
  const tool = await openTool(t, { url: app.url, key });
  const receiver = await startReceiver(t);
  const run = async (...args: string[]) => {
    const ended = await tool.run(['webhooks', ...args]);
    assert.equal(ended.code, 0, `${args.join(' ')}: ${ended.err}`);
    return ended;
  };
  return {
    tool,
    receiver,
    run,
    refused: (...args: string[]) => tool.run(['webhooks', ...args]),
    aUser: () => app.aUser({ key }),
    create: async (...args: string[]) =>
      (await run('create', receiver.url, '--events', 'user.created', ...args, '--json')).json,
    /** When so many deliveries have this status. */
    deliveries: async (status: string, count: number): Promise<{ id: string; attemptCount: number }[]> => {
      const list = async () => (await run('deliveries', '--status', status, '--json')).json.items;
      await until(async () => (await list()).length >= count, `${count} deliveries are ${status}`);
      return list();
    },
  };
};

test('webhook endpoints are created, listed, shown, changed, rotated and deleted', async (t) => {
  const { run, refused, receiver } = await open(t);

  const created = await run(
    'create',
    receiver.url,
    '--events',
    'order.*, user.created',
    '--events',
    'withdrawal.completed',
  );
  const [, secret] = /^secret +(whsec_\S+)$/m.exec(created.out) ?? [];
  assert.ok(secret, created.out);
  assert.match(created.out, /^events +order\.\*, user\.created, withdrawal\.completed$/m);
  assert.match(created.err, /Save the secret now: it is shown only once\./);
  const [, id] = /^id +(whe_\S+)$/m.exec(created.out)!;

  const list = await run('list');
  assert.match(
    list.out,
    new RegExp(`^${id} +ACTIVE +${receiver.url} +order\\.\\*,user\\.created,withdrawal\\.completed`, 'm'),
  );
  assert.equal((await run('list', '--ids')).out, `${id}\n`);
  const shown = await run('show', id!);
  assert.match(shown.out, /^last 24 hours +no deliveries$/m);
  assert.match(shown.out, /^waiting +0 new, 0 to be tried again$/m);
  for (const { out } of [list, shown]) assert.ok(!out.includes(secret));

  assert.match((await run('update', id!, '--disable')).out, /^status +DISABLED \(by request\)$/m);
  const changed = (await run('update', id!, '--enable', '--events', '*', '--to', `${receiver.url}/new`, '--json')).json;
  assert.deepEqual([changed.enabled, changed.events, changed.url], [true, ['*'], `${receiver.url}/new`]);
  const described = (await run('update', id!, '--description', 'Orders', '--payload', 'thin', '--json')).json;
  assert.deepEqual([described.description, described.payload, described.events], ['Orders', 'thin', ['*']]);
  assert.equal((await run('update', id!, '--description', '', '--json')).json.description, null);

  const rotated = await run('rotate', id!);
  assert.match(rotated.out, /^old secret until +\d{4}-.*\nsecret +whsec_\S+$/m);
  assert.ok(!rotated.out.includes(secret));
  assert.match(rotated.err, /shown only once/);

  assert.match((await run('delete', id!)).out, new RegExp(`^${id} is deleted\\.`));
  const gone = await refused('show', id!);
  assert.equal(gone.code, 1);
  assert.match(gone.err, /WEBHOOK_ENDPOINT_NOT_FOUND[\s\S]*`holdfast webhooks list` shows the existing endpoints/);
});

test('with --ids the secret is not shown, and an ed25519 endpoint shows the key that verifies', async (t) => {
  const { run, receiver } = await open(t);
  const silent = await run('create', receiver.url, '--events', '*', '--disabled', '--ids');
  assert.match(silent.out, /^whe_\S+\n$/);
  assert.match(silent.err, /`holdfast webhooks rotate` creates a new one/);
  assert.equal((await run('show', silent.out.trim(), '--json')).json.enabled, false);
  const asymmetric = await run('create', receiver.url, '--events', '*', '--signature', 'v1a');
  assert.match(asymmetric.out, /^verify with +whpk_\S+$/m);
  assert.doesNotMatch(asymmetric.err, /only once/);
});

test('wrong usage is refused before anything is sent, and the server’s reasons are shown', async (t) => {
  const { refused, create, receiver } = await open(t);
  const { id } = await create();
  for (const [args, reason] of [
    [['create', receiver.url], /--events/],
    [['update', id], /at least one option/],
    [['update', id, '--enable', '--disable'], /not both/],
    [['replay', id, '--since', 'yesterday'], /not a valid duration/],
    [['replay', id], /--since/],
    [['deliveries', '--status', 'LOST'], /Allowed choices are PENDING/],
    [['deliveries', '--count', '1'], /--count belongs to --follow/],
    [['deliveries', '--follow', '--ids'], /use --json/],
    [['deliveries', '--follow', '--cursor', 'x'], /leave --cursor out/],
  ] as [string[], RegExp][]) {
    const { code, err } = await refused(...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(err, reason);
  }
  const unknown = await refused('create', receiver.url, '--events', 'order.exploded');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, / {2}- events has "order\.exploded", which is no event type/);
});

test('test waits for the answer, shows it, and exits with 1 when it was not accepted', async (t) => {
  const { run, refused, create, receiver } = await open(t);
  const { id, secret } = await create();
  receiver.answer({ status: 201, body: 'thanks for the test' });
  const good = await run('test', id);
  assert.match(good.out, /^result +delivered\nanswer +201\nduration +\d+ ms\nresponse +thanks for the test\n/);
  const { body, headers } = receiver.received[0]!;
  assert.equal((await verifyWebhook({ body, headers, secret })).aggregateId, id);
  receiver.answer({ status: 404, body: 'no such \u001b[31mpage' });
  const bad = await refused('test', id);
  assert.equal(bad.code, 1);
  assert.match(
    bad.out,
    /^result +not delivered\nanswer +404\n[\s\S]*why +The receiver answered 404\.\nresponse +no such page$/m,
  );
  assert.match(bad.err, /tried again: holdfast webhooks delivery whd_/);
  const off = (await run('update', id, '--disable', '--ids')).out.trim();
  const disabled = await refused('test', off);
  assert.match(disabled.err, /INVALID_STATE[\s\S]*Possible actions: enable, delete/);
});

test('deliveries are listed, shown with their attempts, retried one by one and all, and replayed', async (t) => {
  const { run, refused, create, receiver, aUser, deliveries } = await open(t);
  const { id } = await create();
  // So that the server does not try it again during the test.
  receiver.answer({ status: 500, body: 'broken', headers: { 'retry-after': '3600' } });
  await aUser();
  const [pending] = await deliveries('PENDING', 1);
  const listed = await run('deliveries', '--endpoint', id, '--type', 'user.created', '--limit', '5');
  assert.match(listed.out, new RegExp(`^${pending!.id} +PENDING +500 +\\d+ +user\\.created +${id}`, 'm'));
  const shown = await run('delivery', pending!.id);
  assert.match(shown.out, /^why not delivered|at +answer +ms/m);
  assert.match(shown.out, /500 +\d+ +The receiver answered 500\. +broken +req_/);
  const { eventId } = (await run('delivery', pending!.id, '--json')).json;
  assert.equal((await run('deliveries', '--event', eventId, '--ids')).out, `${pending!.id}\n`);
  assert.match((await run('deliveries', '--type', 'order.created')).err, /No matching deliveries/);

  receiver.answer({ status: 200 });
  assert.match((await run('retry-failed', id, '--since', '1h')).out, /^Sent again: 1 delivery\.$/m);
  await deliveries('DELIVERED', 1);
  const arrived = receiver.received.length;
  assert.match((await run('retry', pending!.id)).out, new RegExp(`^${pending!.id} is sent again`));
  await receiver.count(arrived + 1);
  await aUser();
  await receiver.count(arrived + 2);
  assert.match((await run('replay', id, '--since', '1h')).out, /^Sent again: 2 events\./);
  await receiver.count(arrived + 4);
  assert.deepEqual((await run('replay', id, '--since', eventId, '--json')).json, { events: 1 });
  const missing = await refused('delivery', 'whd_01J9ZQ8H7K5M3N2P4R6S8T0V1W');
  assert.match(missing.err, /WEBHOOK_DELIVERY_NOT_FOUND[\s\S]*holdfast webhooks deliveries/);
});

test('deliveries --follow shows what was sent, then each new attempt once, until Ctrl-C', async (t) => {
  const { tool, create, receiver, aUser, deliveries } = await open(t);
  await create();
  await aUser();
  await aUser();
  await deliveries('DELIVERED', 2);
  const following = tool.start(['webhooks', 'deliveries', '--follow', '--limit', '1']);
  const counted = tool.start(['webhooks', 'deliveries', '--follow', '--count', '3', '--json']);
  await until(() => following.out().split('\n').length === 2, 'the newest of the past is shown');
  receiver.answer({ status: 503 });
  await aUser();
  await following.says('PENDING    503  user.created');
  following.interrupt();
  const { code, out, err } = await following.ended;
  assert.deepEqual([code, err], [0, '']);
  const lines = out.trimEnd().split('\n');
  assert.match(lines[0]!, /^\S+ {2}DELIVERED {2}200 {2}user\.created +whd_\S+$/);
  assert.equal(new Set(lines).size, lines.length);
  const all = await counted.ended;
  assert.equal(all.code, 0, all.err);
  const statuses = all.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).status);
  assert.deepEqual(statuses, ['DELIVERED', 'DELIVERED', 'PENDING']);
});

test('a refusal says what is possible instead: other types, a time, and how to enable', async (t) => {
  const { run, refused, create, receiver } = await open(t);
  const { id } = await create();
  const kind = await refused('create', receiver.url, '--events', 'orders.*');
  assert.match(kind.err, /no event type; there are \*, user\.\*,.* order\.\*,/);
  const type = await refused('create', receiver.url, '--events', 'order.relesed');
  assert.match(type.err, /no event type; there are order\.created, .*order\.released,/);
  assert.match((await refused('create', 'shop.example', '--events', '*')).err, /complete https address, such as/);
  assert.match((await refused('replay', id, '--since', 'yesterday')).err, /A time such as 2026-/);
  await run('update', id, '--disable');
  assert.match((await refused('test', id)).err, /`holdfast webhooks update <endpointId> --enable`/);
});
