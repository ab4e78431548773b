// Surface B over real sockets, in the shared server or in one of the test's own, with the simulators where money reaches the
// ledger. People get their money through a key of Surface A, as in production.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Env } from '../../server/src/config/config.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { type Answer, startApp, type TestApp } from '../support/app.ts';
import { untilIdle } from '../support/checks.ts';
import { HURRIED, openPeopleApp } from '../support/shared-app.ts';
import { controlOf } from '../support/simulators.ts';

export { HURRIED };

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would, and the assertions are the types
export type Any = any;

type AskB = {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

export type Person = {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly password: string;
};

export type PeopleFixture = Awaited<ReturnType<typeof openPeople>>;

export const PASSWORD = 'correct horse battery';

let made = 0;

export const callRoot = async (url: string, request: string, { token, body, headers }: AskB = {}): Promise<Answer> => {
  const [method, path] = request.split(' ') as [string, string];
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
};

/** The whole envelope of a refusal, so that nothing else can be in it. */
export const refused = (answer: Answer): { status: number; message: string; errors?: string[] } => {
  const { code, type, ok, message, data, ...rest } = answer.body;
  assert.deepEqual([code, type, ok, data], [answer.status, 'error', false, null], answer.text);
  assert.match(answer.headers.get('x-ratelimit-limit') ?? '', /^\d+$/);
  assert.ok(answer.headers.get('x-request-id'));
  return { status: answer.status, message, ...rest };
};

/** A server of the test's own. */
export const openPeople = async (t: TestContext, options: { env?: Env; sandbox?: boolean; connection?: object } = {}) =>
  peopleOf(await startApp(t, options));

/** The server of the process with these settings. All its tests share one marketplace; each has people of its own. */
export const openSharedPeople = async (t: TestContext, options: { env?: Env; sandbox?: boolean } = {}) => {
  const fixture = peopleOf(await openPeopleApp(t, options));
  if (options.sandbox) afterwards(t, () => fixture.simulator('DELETE /faults'));
  return fixture;
};

/** By server. A registration costs as much as many requests, so tests share a person that only has to exist. */
const sharedPeople = new Map<string, Promise<Person>>();

/** The content of the envelope of a success. */
const contentOf = (answer: Answer, request: string): Any => {
  assert.equal(answer.status, 200, `${request}: ${answer.text}`);
  const { code, type, ok, message, data, ...rest } = answer.body;
  assert.deepEqual([code, type, ok, rest], [200, 'success', true, {}]);
  assert.ok(message.endsWith('uccessfully') || message === 'Login successful');
  assert.match(answer.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/);
  return data;
};

export const peopleOf = (app: TestApp) => {
  const call = (request: string, ask?: AskB): Promise<Answer> => callRoot(app.url, request, ask);

  const done = async (request: string, ask?: AskB): Promise<Any> => contentOf(await call(request, ask), request);

  /** Credits with an API key of Surface A. */
  const credit = async (id: string, amount: string, currency = 'USD'): Promise<void> => {
    const answer = await app.call(`POST /users/${id}/balance/credit`, { body: { amount, currency } });
    assert.equal(answer.status, 200, answer.text);
  };

  const aPerson = async (available?: string): Promise<Person> => {
    const email = `person-${++made}@example.com`;
    const { id, token } = await done('POST /auth/register', { body: { email, password: PASSWORD, name: 'Ada' } });
    if (available) await credit(id, available);
    return { id, email, token, password: PASSWORD };
  };

  /** A person that other tests of this server use too: do not rely on the balance. */
  const anyPerson = (): Promise<Person> => {
    const known = sharedPeople.get(app.url) ?? aPerson();
    sharedPeople.set(app.url, known);
    return known;
  };

  const aProject = async ({ token }: Person, body: object = {}): Promise<Any> =>
    done('POST /projects', {
      token,
      body: { title: 'Logo', description: 'Two drafts', budget: 500, currency: 'USD', ...body },
    });

  const initBody = (projectId: string, sellerId: string, more: object = {}) => ({
    project_id: projectId,
    seller_id: sellerId,
    amount: 100,
    currency: 'USD',
    ...more,
  });

  /** A buyer with money, the given seller or any person, and a funded escrow between them. */
  const aFundedEscrow = async (more: object = {}, given?: Person) => {
    const buyer = await aPerson('1000.00');
    const seller = given ?? (await anyPerson());
    const { id: projectId } = await aProject(buyer);
    const escrow = await done('POST /escrow/init', { body: initBody(projectId, seller.id, more) });
    return { buyer, seller, projectId, escrow };
  };

  /** Available and held in one currency. */
  const balance = async ({ token }: Person, currency = 'USD'): Promise<[number, number]> => {
    const { balances } = await done('GET /balances', { token });
    const { available, held } = balances.find((entry: Any) => entry.currency === currency);
    return [available, held];
  };

  const simulator = controlOf(`${app.sandboxUrl}/control`);

  const fault = (operation: string, kind: string, more: object = {}): Promise<Any> =>
    simulator('POST /faults', { operation, fault: kind, ...more });

  /** Waits until no operation, no transaction and no wallet is unfinished. */
  const atRest = (): Promise<void> => untilIdle(app, ['operations', 'ledger_transactions', 'wallets']);

  return {
    app,
    call,
    done,
    credit,
    aPerson,
    anyPerson,
    aProject,
    initBody,
    aFundedEscrow,
    balance,
    simulator,
    fault,
    atRest,
  };
};
