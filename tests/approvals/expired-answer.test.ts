// A request that waits has a stored answer, the 202, which expires. When it expires between two looks at it, the request must not be carried
// out: a caller who repeats it at that moment would need no approval.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { endpoint } from '@holdfast/contract/api/endpoint.ts';
import { Strict, Text } from '@holdfast/contract/api/fields.ts';
import Type from 'typebox';
import { systemClock } from '../../server/src/base/instant.ts';
import { command, type Submit } from '../../server/src/commit/command.ts';
import type { Previews } from '../../server/src/commit/preview/preview.ts';
import { createFindAnswer, type FindAnswer } from '../../server/src/commit/stored-answers.ts';
import type { ApprovalGate, HeldRequest } from '../../server/src/http/approval-terms.ts';
import { act, write } from '../../server/src/http/route.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openPlace } from '../commit/fixture.ts';
import { type Answer, openServer } from '../http/server-fixture.ts';

/** Longer than answers are stored. */
const LATER_MICROS = 25 * 3_600_000_000;
const FAR_FUTURE = '2250-01-01T00:00:00.000000Z';

const row = { method: 'POST', tag: 'Test', summary: 'For tests.', status: 200, wrapping: 'plain', errors: [] } as const;
const Said = Strict({ word: Text(20, 'What to say.') });
const data = Type.Object({ said: Type.String() });
const endpoints = {
  write: endpoint({ ...row, path: '/held/write', access: 'write', body: Said, data, idempotent: true }),
  act: endpoint({ ...row, path: '/held/act', access: 'write', body: Said, data, idempotent: true }),
  elsewhere: endpoint({
    ...row,
    path: '/held/elsewhere',
    access: 'master',
    body: Said,
    data,
    idempotent: true,
    secretAnswer: true,
  }),
};

type Kind = keyof typeof endpoints;
type Body = { readonly body: { readonly word: string } };

const weighRequest = () => ({ action: 'balance.credit', amount: null, currency: null }) as const;
const terms = { actions: ['balance.credit'], weighRequest } as const;

/** The routes, and the words that were said: a request that waits says nothing. */
const speaking = () => {
  const said: string[] = [];
  const say = command<{ word: string }, { said: string }>({
    name: 'test-say',
    needs: () => ({}),
    decide({ word }) {
      said.push(word);
      return { said: word };
    },
  });
  const parts = { command: say, input: ({ body }: Body) => body, present: (reply: { said: string }) => reply };
  const routes = [
    write(endpoints.write, { ...parts, approval: terms }),
    write(endpoints.elsewhere, {
      ...parts,
      context: ({ context }) => ({ ...context, marketplaceId: 'mkt_elsewhere' }),
      approval: terms,
    }),
    act(endpoints.act, {
      async answer({ body: { word } }) {
        said.push(word);
        return { said: word };
      },
      preview: async ({ body: { word } }) => ({ said: word }),
      approval: { ...terms, current: async ({ body: { word } }) => ({ said: word }) },
    }),
  ];
  return { said, routes };
};

/** Every request waits, and its approval is only its number. */
const createGate = (): ApprovalGate => {
  let held = 0;
  const hold = command<HeldRequest, unknown>({ name: 'test-hold', needs: () => ({}), decide: () => ({ id: ++held }) });
  return { mayBind: () => true, binds: () => true, hold, present: (approval) => approval };
};

const preview = { run: async () => ({ said: 'a' }), call() {}, takeChanges: async () => ({}) };
const previews = { run: (_context: unknown, work: (inside: unknown) => unknown) => work(preview) };

/** How many more looks at the stored answers come before it expires. The committer looks too. */
type Looks = { left: number };

const openHeld = async (t: TestContext, kind: Kind) => {
  const looks: Looks = { left: Number.POSITIVE_INFINITY };
  const isExpired = (): boolean => --looks.left < 0;
  let isBlind = false;
  const { committer, pool } = await openPlace(t, {
    clock: () => systemClock() + (looks.left <= 0 ? LATER_MICROS : 0),
  });
  const find = createFindAnswer(pool);
  const findAnswer: FindAnswer = async (request) => {
    if (isBlind) {
      isBlind = false;
      return null;
    }
    return find(isExpired() ? { ...request, now: FAR_FUTURE } : request);
  };
  const submit: Submit = async (submission) => {
    const outcome = await committer.submit(submission);
    // A claim of the key for another marketplace is no look at the answer.
    if (submission.command.name !== 'keep-answer') looks.left--;
    return outcome;
  };
  const { said, routes } = speaking();
  let replayed = 0;
  const watch = { began() {}, ended() {}, answered() {}, rateLimited() {}, replayed: () => void replayed++ };
  const server = await openServer({
    routes,
    submit,
    findAnswer,
    watch,
    approvals: createGate(),
    previews: previews as unknown as Previews,
  });
  afterwards(t, () => server.app.close());
  const key = randomUUID();
  const ask = (word = 'a'): Promise<Answer> =>
    server.ask('POST', `/api/v1${endpoints[kind].path}`, {
      key: kind === 'elsewhere' ? 'master' : 'writer',
      body: { word },
      headers: { 'idempotency-key': key },
    });
  return {
    ask,
    key,
    said,
    replayed: () => replayed,
    /** The stored answer expires after this number of looks at it. */
    expireAfter(left: number) {
      looks.left = left;
    },
    /** As if another process stored the answer right after this one has looked. */
    missOnce() {
      isBlind = true;
    },
  };
};

const codeOf = ({ status, body }: Answer): string => `${status} ${body.error?.code}`;

/** The same request gets the first answer again, and nothing is carried out. */
const repeats = async (
  { ask, key, said, replayed }: Awaited<ReturnType<typeof openHeld>>,
  first: Answer,
): Promise<void> => {
  const again = await ask();
  assert.deepEqual([again.text, said], [first.text, []]);
  const { headers } = again;
  assert.deepEqual([headers.get('idempotency-replay'), headers.get('x-idempotency-key')], ['true', key]);
  assert.deepEqual([again.status, replayed()], [202, 1]);
};

for (const kind of ['write', 'act', 'elsewhere'] as const) {
  test(`${kind}: an answer that expires between two looks is repeated, and nothing is carried out`, async (t) => {
    const held = await openHeld(t, kind);
    const { ask, replayed, expireAfter } = held;
    const first = await ask();
    assert.deepEqual([first.status, first.body.data, replayed()], [202, { approval: { id: 1 } }, 0]);
    expireAfter(1);
    await repeats(held, first);
  });

  test(`${kind}: an answer that another process stores in between is repeated, and nothing is carried out`, async (t) => {
    const held = await openHeld(t, kind);
    const { ask, expireAfter, missOnce } = held;
    const first = await ask();
    missOnce();
    expireAfter(1);
    await repeats(held, first);
  });

  test(`${kind}: the same key with another body is 409, and nothing is carried out`, async (t) => {
    const { ask, said, expireAfter } = await openHeld(t, kind);
    assert.equal((await ask()).status, 202);
    expireAfter(1);
    assert.equal(codeOf(await ask('b')), '409 IDEMPOTENCY_KEY_REUSED');
    assert.deepEqual(said, []);
  });
}
