// A server that may send to this machine, an endpoint with a receiver, and its deliveries.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '../../tools/until.ts';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export const ALLOWED = { WEBHOOK_PRIVATE_ADDRESSES: 'allow' };

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
type Any = any;

type Endpoint = {
  readonly id: string;
  readonly secret: string;
  readonly receiver: Receiver;
  read(): Promise<Any>;
  /** Newest first. */
  deliveries(query?: string): Promise<Any[]>;
  /** With its attempts. */
  delivery(eventId: string): Promise<Any>;
  post(action: string, body?: unknown): Promise<Any>;
  /** Resolves with the delivery of this event once its status is the given one. */
  settled(eventId: string, status: string): Promise<Any>;
};

export const anEndpoint = async (t: TestContext, app: TestApp, body: object = {}): Promise<Endpoint> => {
  const receiver = await startReceiver(t);
  const created = await app.call('POST /webhook-endpoints', {
    body: { url: receiver.url, events: ['user.created'], ...body },
  });
  assert.equal(created.status, 201, created.text);
  const { id, secret } = created.body.data;
  const ask = async (request: string, given?: unknown): Promise<Any> => {
    const answer = await app.call(request, given === undefined ? {} : { body: given });
    assert.ok(answer.status < 300, `${request}: ${answer.text}`);
    return answer.body.data;
  };
  const deliveries = async (query = ''): Promise<Any[]> =>
    (await ask(`GET /webhook-deliveries?limit=100&endpointId=${id}${query}`)).data;
  const delivery = async (eventId: string): Promise<Any> => {
    const [one] = await deliveries(`&eventId=${eventId}`);
    return one && ask(`GET /webhook-deliveries/${one.id}`);
  };
  return {
    id,
    secret,
    receiver,
    read: () => ask(`GET /webhook-endpoints/${id}`),
    deliveries,
    delivery,
    post: (action, given) => ask(`POST /webhook-endpoints/${id}/${action}`, given),
    async settled(eventId, status) {
      await until(async () => (await delivery(eventId))?.status === status, `${eventId} is ${status}`);
      return delivery(eventId);
    },
  };
};

export const openSending = (t: TestContext): Promise<TestApp> => openApp(t, { env: ALLOWED });
