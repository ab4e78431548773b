// The event stream from the command line: watched, and forwarded to a receiver that is not always there.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type HoldfastEvent, verifyWebhook } from '@holdfast/sdk';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0cw==';

/** Takes signed webhooks, refuses the first ones as often as it is told to, and answers late where it has to wait. */
const openReceiver = async (t: TestContext, { secret, refusals }: { secret: string; refusals: number }) => {
  const taken: HoldfastEvent[] = [];
  let refused = 0;
  let beforeAnswer: (count: number) => unknown = () => {};
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const event = await verifyWebhook({ body, headers: request.headers, secret });
    if (refused < refusals) {
      refused += 1;
      response.writeHead(503).end();
      return;
    }
    taken.push(event);
    await beforeAnswer(taken.length);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => new Promise((resolve) => server.close(resolve)));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken,
    refused: () => refused,
    answersAfter(wait: (count: number) => unknown) {
      beforeAnswer = wait;
    },
  };
};

test('events from the command line', async (t) => {
  const app = await openApp(t);
  const key = await app.key(['*']);
  const tool = await openTool(t, { url: app.url, key });
  const since = ['--since', '1h'];
  const ada = await app.aUser({ key, available: '12.50' });

  await t.test('tail shows one aligned line for each event, and ends after the count', async () => {
    const { code, out } = await tool.run([
      'events',
      'tail',
      ...since,
      '--types',
      'user.created,balance.*',
      '--count',
      '2',
    ]);
    assert.equal(code, 0);
    const [first, second] = out.trimEnd().split('\n');
    assert.match(first!, new RegExp(`^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} {2}user\\.created +${ada}`));
    assert.match(second!, /balance\.credited .* 12\.50 USD/);
    assert.equal(first!.indexOf(ada), second!.indexOf(ada));
  });

  await t.test('with --json each event is one JSON object a line, and Ctrl-C ends it in good order', async () => {
    const running = tool.start(['events', 'tail', ...since, '--json']);
    await running.says('balance.credited');
    running.interrupt();
    const { code, out, err } = await running.ended;
    assert.deepEqual([code, err], [0, '']);
    const types = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).eventType);
    assert.ok(types.includes('user.created'));
  });

  await t.test('an event that does not exist is wrong usage', async () => {
    const { code, err } = await tool.run(['events', 'tail', '--types', 'order.exploded']);
    assert.equal(code, 2);
    assert.match(err, /order\.released/);
  });

  await t.test(
    'forward signs, repeats what was not taken, keeps the order, and a restart goes on where it was',
    async (sub) => {
      const receiver = await openReceiver(sub, { secret: SECRET, refusals: 2 });
      const checkpoint = path.join(tool.folder, 'checkpoint.json');
      const args = [
        'events',
        'forward',
        '--to',
        receiver.url,
        '--secret',
        SECRET,
        '--checkpoint',
        checkpoint,
        ...since,
      ];
      const first = tool.start(args);
      // It is interrupted with a delivery on its way, waits for that one's answer, and does not send it again.
      receiver.answersAfter(async (count) => {
        if (count !== 2) return;
        first.interrupt();
        await first.says('Waiting for the answer');
      });
      const ended = await first.ended;
      assert.equal(ended.code, 0, ended.err);
      assert.equal(receiver.refused(), 2);
      assert.match(ended.err, /failed .*user\.created.* attempt 1: answered 503/);
      assert.match(ended.out, /delivered {2}user\.created/);

      assert.equal(receiver.taken.length, 2);
      const grace = await app.aUser({ key, available: '1.00' });
      const second = tool.start(args);
      await until(() =>
        receiver.taken.some((each) => each.eventType === 'balance.credited' && each.aggregateId === grace),
      );
      second.interrupt();
      assert.equal((await second.ended).code, 0);
      const ids = receiver.taken.map((each) => each.eventId);
      assert.deepEqual([...new Set(ids)], ids);
      assert.ok(ids.length > 2);
      const times = receiver.taken.map((each) => each.occurredAt);
      assert.deepEqual(times.toSorted(), times);
      assert.ok(!readFileSync(checkpoint, 'utf8').includes(SECRET));
    },
  );

  await t.test(
    'forward gives up after so many attempts, and makes a secret of its own when none is given',
    async () => {
      const checkpoint = path.join(tool.folder, 'other.json');
      const args = [
        'events',
        'forward',
        '--to',
        'http://127.0.0.1:1/',
        '--checkpoint',
        checkpoint,
        ...since,
        '--tries',
        '2',
      ];
      const { code, err } = await tool.run(args);
      assert.equal(code, 1);
      assert.match(err, /was not accepted in 2 attempts/);
      const { secret } = JSON.parse(readFileSync(checkpoint, 'utf8'));
      assert.ok(err.includes(secret));
      assert.equal(statSync(checkpoint).mode & 0o777, 0o600);
      const again = await tool.run(args);
      assert.ok(!again.err.includes(secret));
    },
  );

  await t.test('a count that is interrupted before it was reached ends with 130', async () => {
    const running = tool.start(['events', 'tail', ...since, '--count', '1000']);
    await running.says('balance.credited');
    running.interrupt();
    assert.equal((await running.ended).code, 130);
  });

  await t.test('forward does not wait for a receiver that hangs, and two with one file are refused', async (sub) => {
    const hangs = createServer(() => {});
    await new Promise<void>((resolve) => hangs.listen(0, '127.0.0.1', resolve));
    afterwards(sub, () => hangs.close().closeAllConnections());
    const asked = once(hangs, 'request');
    const to = `http://127.0.0.1:${(hangs.address() as AddressInfo).port}/`;
    const first = tool.start(['events', 'forward', '--to', to, '--secret', SECRET, ...since]);
    await asked;
    const second = await tool.run(['events', 'forward', '--to', to, '--secret', SECRET, ...since]);
    assert.equal(second.code, 1);
    assert.match(second.err, /Another `events forward` already uses .*forward-\w+\.json/);
    // Other events are another file, so the two do not hold each other up.
    const other = ['events', 'forward', '--to', to, '--secret', SECRET, '--types', 'user.created', ...since];
    const third = tool.start(other);
    await third.says('Forwarding to');
    first.interrupt();
    third.interrupt();
    assert.deepEqual([(await first.ended).code, (await third.ended).code], [0, 0]);
    assert.doesNotMatch((await first.ended).err, /failed/);
  });

  await t.test('forward refuses a checkpoint that says nothing, by its name, and leaves it as it is', async () => {
    for (const [at, text] of ['', '{"cursor"', '{}'].entries()) {
      const checkpoint = path.join(tool.folder, `broken-${at}.json`);
      await writeFile(checkpoint, text);
      const { code, err } = await tool.run([
        'events',
        'forward',
        '--to',
        'http://127.0.0.1:1/',
        '--checkpoint',
        checkpoint,
      ]);
      assert.equal(code, 1);
      assert.ok(err.includes(checkpoint) && err.includes('--since'), err);
      assert.equal(readFileSync(checkpoint, 'utf8'), text);
    }
  });

  await t.test('forward names a redirect as one, and does not follow it', async (sub) => {
    const moved = createServer((_, response) =>
      response.writeHead(308, { location: 'http://elsewhere.example/' }).end(),
    );
    await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
    afterwards(sub, () => moved.close().closeAllConnections());
    const to = `http://127.0.0.1:${(moved.address() as AddressInfo).port}/`;
    const { code, err } = await tool.run([
      'events',
      'forward',
      '--to',
      to,
      '--secret',
      SECRET,
      '--tries',
      '1',
      ...since,
    ]);
    assert.equal(code, 1);
    assert.match(err, /answered 308, a redirect to http:\/\/elsewhere\.example\//);
  });

  await t.test('forward from now on: an event that was never taken is the first one of the next start', async (sub) => {
    const checkpoint = path.join(tool.folder, 'first.json');
    const args = ['events', 'forward', '--secret', SECRET, '--checkpoint', checkpoint];
    const failing = tool.start([...args, '--to', 'http://127.0.0.1:1/', '--tries', '1']);
    await until(() => existsSync(checkpoint), 'where it begins is kept');
    const edsger = await app.aUser({ key });
    assert.equal((await failing.ended).code, 1);
    const receiver = await openReceiver(sub, { secret: SECRET, refusals: 0 });
    const next = await tool.run([...args, '--to', receiver.url, '--count', '1']);
    assert.equal(next.code, 0, next.err);
    assert.deepEqual(
      receiver.taken.map(({ eventType, aggregateId }) => [eventType, aggregateId]),
      [['user.created', edsger]],
    );
  });
});
