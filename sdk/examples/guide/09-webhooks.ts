// Step 9: the same events as signed requests to your own server. It checks each signature before it uses the body.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isTestEvent, verifyWebhook } from '@holdfast/sdk';
import { holdfast, person } from './shop.ts';

let secret = '';
// An event can arrive twice. Your database has to remember the ids; here a set is enough.
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    // The raw body: JSON that was parsed and printed again has another signature.
    const event = await verifyWebhook({ body: await text(request), headers: request.headers, secret });
    response.writeHead(204).end();
    if (handled.has(event.eventId)) return;
    handled.add(event.eventId);
    if (isTestEvent(event)) console.log('The test event arrived');
    else if (event.eventType === 'balance.credited') console.log(`balance.credited ${event.payload.amount}`);
    server.emit('handled');
  } catch (error) {
    response.writeHead(400).end(String(error));
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;

// The answer to `create` is the only one that contains the secret. Keep it with your other secrets.
const endpoint = await holdfast.webhookEndpoints.create({ url, events: ['balance.credited'] });
secret = endpoint.secret;

const tested = once(server, 'handled');
await holdfast.webhookEndpoints.test(endpoint.id);
await tested;

const credited = once(server, 'handled');
const ada = await person('ada');
await holdfast.balances.credit(ada.id, { amount: '5.00', description: 'A voucher' });
await credited;

// A request that was not signed with the secret is refused.
const forged = await fetch(url, { method: 'POST', body: '{"eventType":"balance.credited"}' });
console.log(`A forged request gets ${forged.status}`);

await holdfast.webhookEndpoints.delete(endpoint.id);
server.closeAllConnections();
server.close();
