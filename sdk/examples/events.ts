// Reads the stream without end, and continues at the last position when the program is started again.

import { readFile, writeFile } from 'node:fs/promises';
import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '', CURSOR_FILE = 'cursor.txt' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const enough = new AbortController();
process.once('SIGINT', () => enough.abort());

const events = holdfast.events({
  types: ['balance.credited', 'balance.debited'],
  since: new Date(0),
  checkpoint: {
    load: () => readFile(CURSOR_FILE, 'utf8').catch(() => null),
    save: (cursor) => writeFile(CURSOR_FILE, cursor),
  },
  signal: enough.signal,
  onState: ({ state }) => console.error(state),
});

for await (const event of events) {
  // In your own database, do the work and keep `event.eventId` in one transaction: a program that dies right here sees
  // the event again.
  const sign = event.eventType === 'balance.credited' ? '+' : '-';
  console.log(`${event.payload.userId} ${sign}${event.payload.amount} ${event.payload.currency}`);
}
console.log(`stopped at ${events.cursor}`);
