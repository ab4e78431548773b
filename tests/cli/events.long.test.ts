// Events forwarded from the command line to receivers that refuse, hang or redirect, and commands that are interrupted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openApp } from '../support/shared-app.ts';
import { openReceiver } from './receiver.ts';
import { openTool } from './tool.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0cw==';

test('events from the command line, the other ends', async (t) => {
  const app = await openApp(t);
  const key = await app.key(['*']);
  const tool = await openTool(t, { url: app.url, key });
  const since = ['--since', '1h'];
  await app.aUser({ key, available: '12.50' });

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
