// Receives posted events, and refuses those that were not signed with the shared secret.

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@holdfast/sdk';

const { WEBHOOK_SECRET = '', PORT = '4100' } = process.env;

const server = createServer(async (request, response) => {
  try {
    // The raw body: parsing and printing it again would break the signature.
    const event = await verifyWebhook({
      body: await text(request),
      headers: request.headers,
      secret: WEBHOOK_SECRET,
    });
    if (event.eventType === 'order.released') console.log(`${event.payload.sellerId} is paid`);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(400).end(String(error));
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening on', server.address()));
