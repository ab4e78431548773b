// A receiver of webhooks for the tests of `holdfast events forward`.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type HoldfastEvent, verifyWebhook } from '@holdfast/sdk';
import { afterwards } from '../../tools/test-database/afterwards.ts';

/** Takes signed webhooks, refuses the first ones as often as it is told to, and answers late where it has to wait. */
export const openReceiver = async (t: TestContext, { secret, refusals }: { secret: string; refusals: number }) => {
  const taken: HoldfastEvent[] = [];
  let refused = 0;
  let beforeAnswer: (count: number) => unknown = () => {};
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const event = await verifyWebhook({ body, headers: request.headers, secret });
    if (refused < refusals) {
      refused += 1;
      response.writeHead(503).end();
      return;
    }
    taken.push(event);
    await beforeAnswer(taken.length);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => new Promise((resolve) => server.close(resolve)));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken,
    refused: () => refused,
    answersAfter(wait: (count: number) => unknown) {
      beforeAnswer = wait;
    },
  };
};
