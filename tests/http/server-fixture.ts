// An HTTP server for tests: some endpoints of every kind, real sockets, and a stand-in for the committer that keeps answers in
// memory. The stand-in implements the replay rules of the committer and nothing else.

import { type AddressInfo, connect } from 'node:net';
import { endpoint } from '@holdfast/contract/api/endpoint.ts';
import { Amount, Metadata, Nullable, Page, Strict, Text, Timestamp } from '@holdfast/contract/api/fields.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import Type from 'typebox';
import { DomainError, isDomainError } from '../../server/src/base/domain-error.ts';
import { command, type StoredAnswer, type Submit, type UnitOfWork } from '../../server/src/commit/command.ts';
import { type AppOptions, buildApp } from '../../server/src/http/app.ts';
import type { Caller } from '../../server/src/http/caller.ts';
import { memoryLimiter } from '../../server/src/http/rate-limit.ts';
import { list, raw, read, write } from '../../server/src/http/route.ts';

const row = { tag: 'Test', summary: 'For tests.', status: 200, wrapping: 'plain', errors: [] } as const;
const ById = Type.Object({ id: Text(60, 'Which one.') });
const Echo = Type.Object({ said: Type.Unknown() });

export const credit = endpoint({
  ...row,
  method: 'POST',
  path: '/users/:userId/credit',
  access: 'write',
  params: Type.Object({ userId: Text(60, 'The user.') }),
  body: Strict({
    amount: Amount,
    buyerId: Type.Optional(Text(20, 'The buyer.')),
    kind: Type.Optional(Type.Union([Type.Literal('GIFT'), Type.Literal('BONUS')])),
    note: Type.Optional(Nullable(Text(10, 'A note.'))),
    dueAt: Type.Optional(Timestamp('When it is due.')),
    milestones: Type.Optional(
      Type.Array(
        Strict({ ref: Type.String({ aliases: ['milestone_ref'] }), unitPrice: Type.Optional(Type.String()) }),
        {
          maxItems: 100,
        },
      ),
    ),
    metadata: Type.Optional(Metadata),
  }),
  data: Type.Object({
    userId: Type.String(),
    total: Type.String(),
    note: Nullable(Type.String()),
    marketplaceId: Type.String(),
    metadata: Metadata,
  }),
  errors: ['INSUFFICIENT_FUNDS', 'USER_NOT_FOUND'],
  idempotent: true,
});
const debit = endpoint({ ...credit, path: '/users/:userId/debit' });
const plainWrite = endpoint({ ...credit, path: '/orders/:userId/credit', idempotent: false });
const things = endpoint({
  ...row,
  method: 'GET',
  path: '/things',
  access: 'read',
  query: Strict({
    ...Page,
    buyerId: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 5 })),
    createdAfter: Type.Optional(Timestamp('Only later ones.')),
    deep: Type.Optional(Type.Boolean()),
  }),
  wrapping: 'list',
  data: Type.Object({ id: Type.String(), query: Type.Unknown() }),
});
const touch = endpoint({
  ...row,
  method: 'POST',
  path: '/things/:id/touch',
  access: 'write',
  params: ById,
  status: 201,
  wrapping: 'success',
  data: Echo,
});
const cancel = endpoint({
  ...row,
  method: 'POST',
  path: '/things/:id/cancel',
  access: 'write',
  params: ById,
  body: Strict({ reason: Type.Optional(Text(20, 'Why.')) }),
  bodyOptional: true,
  data: Echo,
});
const oneThing = endpoint({ ...row, method: 'GET', path: '/things/:id', access: 'read', params: ById, data: Echo });
const health = endpoint({
  ...row,
  method: 'GET',
  path: '/health',
  access: 'public',
  data: Type.Object({ caller: Type.String() }),
});
const me = endpoint({
  ...row,
  method: 'GET',
  path: '/auth/me',
  access: 'any',
  data: Type.Object({ keyId: Type.String(), marketplaceId: Type.String() }),
});
const resolve = endpoint({
  ...row,
  method: 'POST',
  path: '/disputes/:id/resolve',
  access: 'support',
  params: ById,
  data: Echo,
});
const createKey = endpoint({
  ...row,
  method: 'POST',
  path: '/auth/api-keys',
  access: 'master',
  body: Strict({ name: Text(20, 'Its name.') }),
  status: 201,
  data: Type.Object({ key: Type.String() }),
  idempotent: true,
  secretAnswer: true,
});
const stream = endpoint({
  ...row,
  method: 'GET',
  path: '/events',
  access: 'any',
  query: Strict({ fail: Type.Optional(Type.Boolean()) }),
  wrapping: 'raw',
  data: Type.String(),
});
const boom = endpoint({
  ...row,
  method: 'GET',
  path: '/boom',
  access: 'read',
  query: Strict({ how: Type.Optional(Type.String()) }),
  data: Echo,
});
const slow = endpoint({ ...row, method: 'GET', path: '/slow', access: 'public', data: Echo });

const KEYS: Record<string, Caller> = {
  writer: {
    type: 'api_key',
    keyId: 'key_writer',
    keyName: 'writer',
    scopes: ['read', 'write'],
    marketplaceId: 'mkt_shop',
  },
  reader: { type: 'api_key', keyId: 'key_reader', keyName: 'reader', scopes: ['read'], marketplaceId: 'mkt_shop' },
  other: { type: 'api_key', keyId: 'key_other', keyName: 'other', scopes: ['*'], marketplaceId: 'mkt_other' },
  slow: { type: 'api_key', keyId: 'key_slow', keyName: 'slow', scopes: ['*'], marketplaceId: 'mkt_shop', rateLimit: 2 },
  master: { type: 'master', keyId: 'master', keyName: 'master', scopes: ['*'], marketplaceId: 'mkt_default' },
};

type Credited = { userId: string; body: { amount: string; note?: string | null; metadata?: Record<string, unknown> } };

const creditCommand = command<Credited, { userId: string; total: string; marketplaceId: string; input: Credited }>({
  name: 'test-credit',
  needs: () => ({}),
  decide(input, work) {
    if (input.body.amount === '999.00')
      throw new DomainError('INSUFFICIENT_FUNDS', {
        details: { requested: '999.00', available: '1.00', currency: 'USD' },
      });
    if (input.body.amount === '500.00') throw new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 3 } });
    if (input.body.amount === '0') throw new Error('the disk at 10.0.0.7 is on fire');
    return { userId: input.userId, total: input.body.amount, marketplaceId: work.context.marketplaceId, input };
  },
});
const keyCommand = command<{ secret: string }, { made: true }>({
  name: 'test-key',
  needs: () => ({}),
  decide: () => ({ made: true }),
});

type Stored = { fingerprint: Buffer; answer: StoredAnswer };

const memorySubmit =
  (stored: Map<string, Stored>, hold: () => Promise<void> | null): Submit =>
  async ({ command, input, context, guard }) => {
    const name = guard?.keyHash.toString('hex') ?? '';
    const before = stored.get(name);
    if (before) {
      if (!before.fingerprint.equals(guard!.fingerprint)) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
      return { kind: 'replay', answer: before.answer };
    }
    await hold();
    const keep = (answer: StoredAnswer | null | undefined): StoredAnswer | null => {
      if (answer) stored.set(name, { fingerprint: guard!.fingerprint, answer });
      return answer ?? null;
    };
    try {
      const reply = command.decide(input, { context } as UnitOfWork);
      return { kind: 'reply', reply, answer: keep(guard?.render({ reply })) };
    } catch (error) {
      if (isDomainError(error)) keep(guard?.render({ error }));
      throw error;
    }
  };

export type Fixture = {
  app: FastifyInstance;
  url: string;
  port: number;
  logs: Record<string, unknown>[];
  stored: Map<string, Stored>;
  calls: { credit: number };
  /** Holds every submit until the returned function is called. */
  hold(): () => void;
  /** Holds GET /slow likewise. */
  slow: { arrived: Promise<void>; finish(): void };
  ask(method: string, path: string, options?: Asking): Promise<Answer>;
  /** Writes bytes to a socket. Returns everything that the server sends until it closes. */
  talk(bytes: string | Buffer): Promise<string>;
};
export type Asking = { key?: string; body?: unknown; text?: string; headers?: Record<string, string> };
// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
export type Answer = { status: number; headers: Headers; body: any; text: string };

type Watched = {
  readonly calls: Fixture['calls'];
  /** Called when GET /slow has arrived. */
  arrived(): void;
  /** GET /slow answers when this is resolved. */
  readonly finished: Promise<void>;
};

const routesOf = ({ calls, arrived, finished }: Watched): AppOptions['routes'] => {
  const crediting = {
    command: creditCommand,
    input: ({ params, body }: { params: { userId: string }; body: Credited['body'] }) => {
      calls.credit++;
      return { userId: params.userId, body };
    },
    present: (reply: { userId: string; total: string; marketplaceId: string; input: Credited }) => ({
      userId: reply.userId,
      total: reply.total,
      marketplaceId: reply.marketplaceId,
      note: reply.input.body.note ?? null,
      metadata: reply.input.body.metadata ?? {},
      passwordHash: 'must never leave',
    }),
  };
  return [
    write(credit, crediting),
    write(debit, crediting),
    write(plainWrite, crediting),
    list(things, ({ query }) => ({ items: [{ id: 'thing_1', query }], nextCursor: 'thing_1' })),
    read(touch, ({ params, body }) => ({ said: { params, body } })),
    read(cancel, ({ body }) => ({ said: body })),
    read(oneThing, async ({ params }) => ({ said: params.id })),
    read(health, ({ caller }) => ({ caller: caller.type })),
    read(me, ({ caller }) => ({ keyId: caller.keyId, marketplaceId: caller.marketplaceId })),
    read(resolve, () => ({ said: 'resolved' })),
    write(createKey, {
      command: keyCommand,
      input: async () => ({ secret: `secret-${Math.random()}` }),
      present: (_reply, { input }) => ({ key: input.secret }),
    }),
    raw(stream, ({ query }, wire) => {
      if (query.fail) throw new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 5 } });
      wire.open(200, { 'content-type': 'text/event-stream' }).end('data: one\n\n');
    }),
    read(boom, async ({ query }) => {
      if (query.how === 'reset') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      if (query.how === 'text') throw 'the password is swordfish';
      throw new TypeError('cannot read password of undefined');
    }),
    read(slow, async () => {
      arrived();
      await finished;
      return { said: 'at last' };
    }),
  ];
};

const askerOf =
  (url: string): Fixture['ask'] =>
  async (method, path, { key, body, text, headers = {} } = {}) => {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const answered = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && answered !== '';
    return {
      status: response.status,
      headers: response.headers,
      text: answered,
      body: isJson ? JSON.parse(answered) : null,
    };
  };

const talkerTo =
  (port: number): Fixture['talk'] =>
  (bytes) =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      let heard = '';
      socket.setEncoding('utf8');
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.on('close', () => resolve(heard));
      socket.on('error', (error) => (heard === '' ? reject(error) : resolve(heard)));
    });

export const openServer = async (overrides: Partial<AppOptions> = {}): Promise<Fixture> => {
  const logs: Record<string, unknown>[] = [];
  const stored = new Map<string, Stored>();
  const calls = { credit: 0 };
  let held: Promise<void> | null = null;
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();

  const app = await buildApp({
    async findAnswer({ keyHash, fingerprint }) {
      const before = stored.get(keyHash.toString('hex'));
      if (before && !before.fingerprint.equals(fingerprint)) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
      return before?.answer ?? null;
    },
    routes: routesOf({ calls, arrived: arrived.resolve, finished: finish.promise }),
    submit: memorySubmit(stored, () => held),
    authenticate: (bearer) =>
      bearer.startsWith('late-') ? Promise.resolve(KEYS[bearer.slice(5)] ?? null) : (KEYS[bearer] ?? null),
    limiter: memoryLimiter({ windowMs: 60_000, now: Date.now }),
    rateLimit: { max: 10_000, windowMs: 60_000 },
    logger: pino({ level: 'info' }, { write: (line) => void logs.push(JSON.parse(line)) }),
    bodyLimitBytes: 64 * 1024,
    trustProxy: false,
    corsOrigins: [],
    idempotencyRetentionHours: 24,
    shutdownGraceMs: 5_000,
    version: '0.1.0',
    ...overrides,
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  return {
    app,
    url,
    port,
    logs,
    stored,
    calls,
    slow: { arrived: arrived.promise, finish: finish.resolve },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
    ask: askerOf(url),
    talk: talkerTo(port),
  };
};
