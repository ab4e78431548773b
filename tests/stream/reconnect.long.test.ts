// Many clients that connect again while thousands of events are written.

import { test } from 'node:test';
import { assertNothingLost } from './reconnecting.ts';

test('twelve clients that reconnect at random moments to two servers under load see every event once and in order', async (t) => {
  await assertNothingLost(t, { clients: 12, events: 1_500, stayMax: 150 });
});
