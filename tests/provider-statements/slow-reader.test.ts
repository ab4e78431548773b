// A client that takes no bytes of a report: the server keeps only the first piece for it, and refuses more such clients than it can keep.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { parseExact } from '../../server/src/books/money.ts';
import type { Compared } from '../../server/src/modules/provider-statements/compare.ts';
import { statementFileRoutes } from '../../server/src/modules/provider-statements/routes.ts';
import type { Any } from './statement-fixture.ts';

const LINES = 20_000;

const item = (number: number): Compared => ({
  line: {
    number,
    at: '2026-01-10T12:00:00.000000Z',
    reference: `pay-${number}`,
    amount: parseExact('25.00')!,
    currency: 'USD',
    type: null,
    fee: null,
    description: 'x'.repeat(500),
  },
  record: null,
  suggestion: null,
  status: 'MISSING_HERE',
  difference: null,
  reason: null,
});

const reportsOf = (lines: number) => ({
  read: async () => ({
    statement: {} as Any,
    items: Array.from({ length: lines }, (_, at) => item(at + 2)),
    isComplete: true,
  }),
});

/** A download whose client takes no bytes, and one whose client takes all. */
const downloadsOf = (lines: number) => {
  const [route] = statementFileRoutes({ reports: reportsOf(lines), inTurn: (_, read) => read() });
  const start = (format: string, take: boolean) => {
    let size = 0;
    const opened = new EventEmitter();
    const response = new Writable({
      write(chunk, _, done) {
        size += chunk.length;
        if (take) done();
      },
    });
    const wire = {
      request: { socket: { destroyed: false } },
      open() {
        queueMicrotask(() => opened.emit('open'));
        return response as unknown as ServerResponse;
      },
    };
    const routeRequest = { params: { id: 'pst_1' }, query: { format }, context: { marketplaceId: 'mkt_1' } };
    const answered = (async () => (route as Any).answer(routeRequest, wire))();
    return { response, answered, opened: EventEmitter.once(opened, 'open'), size: () => size };
  };
  return start;
};

test('the server keeps one piece of a report for a client that takes no bytes, and a third such client waits', async () => {
  const start = downloadsOf(LINES);
  const slow = [start('csv', false), start('jsonl', false)];
  for (const { opened } of slow) await opened;
  await assert.rejects(start('csv', true).answered, { code: 'TOO_MANY_HEAVY_READS' });
  for (const { response } of slow) assert.ok(response.writableLength < 1_000_000, `${response.writableLength}`);
  for (const { response, answered } of slow) {
    response.destroy();
    await assert.rejects(answered);
  }
  const whole = start('csv', true);
  await whole.answered;
  assert.ok(whole.size() > LINES * 500);
});

test('a report without lines is an empty file', async () => {
  const empty = downloadsOf(0)('jsonl', true);
  await empty.answered;
  assert.deepEqual([empty.response.writableEnded, empty.size()], [true, 0]);
});
