// What the tool says while an answer takes long: on a terminal, with --verbose in a log, and not at all for programs.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createProgress } from '../../cli/src/progress.ts';
import { createOut, type Out } from '../../cli/src/view/out.ts';

/** The output of the tool, with what it would write to standard error. */
const recorded = (how: Partial<Pick<Out, 'canRedraw' | 'isJson'>>): { out: Out; said: string[] } => {
  const said: string[] = [];
  const record = (text: string): void => void said.push(text);
  return { out: { ...createOut({ isJson: false }), canRedraw: false, ...how, redraw: record, note: record }, said };
};

const PATH = 'http://127.0.0.1:4000/api/v1/orders/ord_1';

/** A request that is answered when the test says so. */
const request = (out: Out, { path = PATH, isVerbose = false } = {}) => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const progress = createProgress({ out, isVerbose });
  const answered = progress.watch((() => promise) as typeof fetch)(path);
  return {
    async answer(): Promise<void> {
      resolve(new Response());
      await answered;
    },
  };
};

const clock = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  return (seconds: number): void => {
    for (let passed = 0; passed < seconds; passed++) t.mock.timers.tick(1_000);
  };
};

test('a terminal shows what is waited for and for how long, and the line is gone afterwards', async (t) => {
  const pass = clock(t);
  const { out, said } = recorded({ canRedraw: true });
  const { answer } = request(out, { path: `${PATH}/escrow/fund` });
  pass(1);
  assert.deepEqual(said, [], 'a short wait says nothing');
  pass(2);
  assert.deepEqual(said, [
    'Waiting for the ledger to confirm the funding: 2 s',
    'Waiting for the ledger to confirm the funding: 3 s',
  ]);
  await answer();
  assert.equal(said.at(-1), '');
  const count = said.length;
  pass(5);
  assert.equal(said.length, count, 'nothing more after the answer');
});

test('each path names its outside system', async (t) => {
  const pass = clock(t);
  for (const [path, what] of [
    [`${PATH}/escrow`, 'the escrow contract'],
    [`${PATH}/resolution/release`, 'the escrow provider to release the money'],
    [`${PATH}/milestones/draft/refund`, 'the escrow provider to refund the money'],
    ['http://127.0.0.1:4000/api/v1/topups', 'the payment provider'],
    ['http://127.0.0.1:4000/api/v1/users/usr_1/balance/verify', 'the ledger'],
    ['http://127.0.0.1:4000/api/v1/config', 'the server'],
  ] as const) {
    const { out, said } = recorded({ canRedraw: true });
    const { answer } = request(out, { path });
    pass(2);
    assert.deepEqual(said, [`Waiting for ${what}: 2 s`]);
    await answer();
  }
});

test('a log with --verbose gets a line every five seconds, a pipe without it nothing, and JSON nothing at all', async (t) => {
  const pass = clock(t);
  for (const { how, isVerbose, lines } of [
    { how: {}, isVerbose: true, lines: ['Waiting for the server: 5 s', 'Waiting for the server: 10 s'] },
    { how: {}, isVerbose: false, lines: [] },
    { how: { isJson: true, canRedraw: true }, isVerbose: true, lines: [] },
  ]) {
    const { out, said } = recorded(how);
    const { answer } = request(out, { isVerbose });
    pass(12);
    await answer();
    assert.deepEqual(said, lines);
  }
});
