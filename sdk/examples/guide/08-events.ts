// Step 8: a service that follows all orders. After a restart it continues where it stopped, and misses nothing.

import { readFile, writeFile } from 'node:fs/promises';
import { holdfast } from './shop.ts';

const { CURSOR_FILE = 'guide-cursor.txt' } = process.env;
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const events = holdfast.events({
  resources: ['Order', 'TopUp', 'Withdrawal'],
  since: new Date(0),
  checkpoint: {
    load: () => readFile(CURSOR_FILE, 'utf8').catch(() => null),
    save: (cursor) => writeFile(CURSOR_FILE, cursor),
  },
  signal: stop.signal,
});

for await (const event of events) {
  // Your work goes here. It must be safe to repeat: keep `event.eventId` in the transaction that does the work.
  if (event.eventType === 'order.closed') console.log(`order.closed ${event.payload.finalStatus}`);
  else console.log(event.eventType);
}
