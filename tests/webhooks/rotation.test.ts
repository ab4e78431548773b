// The end of a secret after a rotation: until the overlap ends both secrets sign, and afterwards only the new one does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { formatInstant, laterBy, systemClock } from '../../server/src/base/instant.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import {
  type SenderParts,
  startMarketplaceSender,
} from '../../server/src/modules/webhook-deliveries/send/marketplace-sender.ts';
import { newCursor } from '../../server/src/modules/webhook-endpoints/endpoint.ts';
import { freshSecret } from '../../server/src/modules/webhook-endpoints/secrets.ts';
import { until } from '../../tools/until.ts';
import { WALLET_KEKS } from '../support/app.ts';

const HOUR_MS = 3_600_000;
const PLACE = { marketplaceId: 'mkt_shop', webhookEndpointId: 'whe_1' };

type Posted = Parameters<SenderParts['post']>[0];

const storedEvent = (position: number) => ({
  marketplaceId: PLACE.marketplaceId,
  position,
  occurredAt: formatInstant(systemClock()),
  eventType: 'user.created',
  aggregateType: 'User',
  envelope: JSON.stringify({ eventId: `evt_${position}`, aggregateId: `usr_${position}` }),
});

/** The sender of one endpoint whose secret was rotated now, with a clock that the test sets forward. */
const openRotated = async () => {
  const keeper = keepKeks(WALLET_KEKS);
  const signature = 'v1' as const;
  const old = await freshSecret(keeper, { place: PLACE, signature });
  const fresh = await freshSecret(keeper, { place: PLACE, signature });
  const now = formatInstant(systemClock());
  const endpoint = {
    id: PLACE.webhookEndpointId,
    url: 'https://shop.example/',
    events: ['*'],
    payload: 'full',
    signature,
    sealedSecret: fresh.sealed,
    previousSealedSecret: old.sealed,
    previousExpiresAt: laterBy(now, HOUR_MS),
    createdAt: now,
    updatedAt: now,
  };
  const posted: Posted[] = [];
  let aheadMs = 0;
  let head = 0;
  const parts = {
    endpoints: { enabled: async () => [endpoint], cursors: async () => new Map() },
    deliveries: { pending: async () => [], due: async () => [], oldestPosition: async () => 1 },
    listEvents: async ({ after }: { after: number }) => (after < head ? [storedEvent(after + 1)] : []),
    findStart: async () => ({ head: 0, after: 0 }),
    record: async ({ sent }: Parameters<SenderParts['record']>[0]) => ({
      deliveries: new Map(
        sent.map(({ deliveryId }) => [deliveryId, { status: 'DELIVERED', nextAttemptAt: null, tries: 1 }]),
      ),
      cursors: new Map([[endpoint.id, newCursor({ id: endpoint.id, position: 0n, updatedAt: now })]]),
    }),
    post: async (message: Posted) => {
      posted.push(message);
      return { status: 200, error: null, responseHead: null, retryAfterMs: null, durationMs: 1 };
    },
    watch: { attempted() {} },
    keeper,
    clock: () => systemClock() + aheadMs * 1_000,
    onTrouble(message: string, error: unknown) {
      throw new Error(message, { cause: error });
    },
  } as unknown as SenderParts;
  const sender = await startMarketplaceSender(parts, PLACE.marketplaceId);
  await sender.reload();
  return {
    old: new Webhook(old.reveal()),
    fresh: new Webhook(fresh.reveal()),
    sender,
    /** The next event, as it is sent when so much time has passed. */
    async sendAt(passedMs: number): Promise<Posted> {
      aheadMs = passedMs;
      head++;
      await until(async () => {
        await sender.refresh();
        return posted.length === head;
      });
      return posted.at(-1)!;
    },
  };
};

const signaturesOf = ({ headers }: Posted): string[] => headers['webhook-signature']!.split(' ');

test('both secrets sign until the overlap ends, and only the new one afterwards', async () => {
  const { old, fresh, sender, sendAt } = await openRotated();
  const during = await sendAt(0);
  assert.equal(signaturesOf(during).length, 2);
  for (const secret of [old, fresh]) secret.verify(during.body, during.headers);
  // One second before the end the opened secrets are new ones, which are not used beyond it.
  assert.equal(signaturesOf(await sendAt(HOUR_MS - 1_000)).length, 2);
  const after = await sendAt(HOUR_MS + 1_000);
  const at = new Date(Number(after.headers['webhook-timestamp']) * 1_000);
  const signedWith = (secret: Webhook) => secret.sign(after.headers['webhook-id']!, at, after.body);
  assert.deepEqual(signaturesOf(after), [signedWith(fresh)]);
  assert.notEqual(signedWith(old), signedWith(fresh));
  await sender.close();
});
