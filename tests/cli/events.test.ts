// The event stream from the command line: watched, and forwarded to a receiver that is not always there. events.long.test.ts has
// receivers that refuse, hang or redirect.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openApp } from '../support/shared-app.ts';
import { openReceiver } from './receiver.ts';
import { openTool } from './tool.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0cw==';

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
});
