// Which endpoints have a sender: one that is deleted or gets another address gets nothing more from the moment this is read, also while
// its sender starts. And a round makes one read for all endpoints of a marketplace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PendingDelivery } from '../../server/src/modules/webhook-deliveries/pending-queries.ts';
import type { EndpointSender } from '../../server/src/modules/webhook-deliveries/send/endpoint-sender.ts';
import { createEndpointSenders } from '../../server/src/modules/webhook-deliveries/send/endpoint-senders.ts';
import type { WebhookEndpoint } from '../../server/src/modules/webhook-endpoints/endpoint.ts';
import { until } from '../../tools/until.ts';

const anEndpoint = (id: string, updatedAt = '1'): WebhookEndpoint => ({ id, updatedAt }) as WebhookEndpoint;

/** Senders that only note what happens to them. */
const openSenders = ({ pending }: { pending: () => Promise<PendingDelivery[]> }) => {
  const log: string[] = [];
  const reads: string[] = [];
  const senders = createEndpointSenders({
    async openSender({ endpoint: { id, updatedAt } }) {
      const name = `${id}@${updatedAt}`;
      log.push(`open ${name}`);
      return {
        async adopt(read: () => Promise<unknown>) {
          await read();
        },
        async close() {
          log.push(`close ${name}`);
        },
        endpointId: name,
      } as unknown as EndpointSender;
    },
    cursors: async () => new Map(),
    pending,
    async due(ids) {
      reads.push(ids.join());
      return [];
    },
    onTrouble(message, error) {
      throw new Error(message, { cause: error });
    },
  });
  const keep = (...endpoints: WebhookEndpoint[]): void => senders.keep(endpoints, new Map());
  const running = (): string[] => senders.running().map(({ endpointId }) => endpointId);
  return { senders, log, reads, keep, running };
};

test('an endpoint that is deleted while its sender starts is closed at once and never runs', async () => {
  const answer = Promise.withResolvers<PendingDelivery[]>();
  const { senders, log, keep, running } = openSenders({ pending: () => answer.promise });
  keep(anEndpoint('whe_1'));
  await until(() => log.length === 1);
  keep();
  assert.deepEqual(log, ['open whe_1@1', 'close whe_1@1'], 'before it knows what waits');
  answer.resolve([]);
  await until(() => !senders.hasAny());
  assert.deepEqual(running(), []);
});

test('an endpoint with another address is closed at once, and its new sender starts after it', async () => {
  const { log, keep, running } = openSenders({ pending: async () => [] });
  keep(anEndpoint('whe_1'));
  await until(() => running().length === 1);
  keep(anEndpoint('whe_1', '2'));
  assert.deepEqual(log, ['open whe_1@1', 'close whe_1@1']);
  assert.deepEqual(running(), []);
  await until(() => running().length === 1);
  assert.deepEqual(running(), ['whe_1@2']);
});

test('a round makes one read for all endpoints that did not change', async () => {
  const { reads, keep, running } = openSenders({ pending: async () => [] });
  keep(anEndpoint('whe_1'), anEndpoint('whe_2'));
  await until(() => running().length === 2);
  await new Promise(setImmediate);
  keep(anEndpoint('whe_1'), anEndpoint('whe_2'), anEndpoint('whe_3'));
  await until(() => running().length === 3);
  assert.deepEqual(reads, ['whe_1,whe_2']);
});
