// The yardstick of the front door, in a process of its own: Fastify with one POST route that takes what a credit takes,
// checked by the same schemas with the same compiled checks, and answers at once. No key, limit, log, metrics or money.

import type { AddressInfo } from 'node:net';
import { creditBalance } from '@holdfast/contract/api/balances.ts';
import Fastify from 'fastify';
import { bodyValidator, paramsValidator } from '../server/src/http/validation/validator.ts';

const { params, body, path } = creditBalance;
const validators = { params: paramsValidator(params!), body: bodyValidator(body!, { optional: false }) };

const app = Fastify();
app.post(`/api/v1${path}`, {
  schema: { params, body },
  validatorCompiler: ({ httpPart }) => validators[httpPart as keyof typeof validators],
  handler: (_request, reply) => {
    reply.send({ success: true });
  },
});
// For a balancer in front.
app.get('/api/v1/health', (_request, reply) => void reply.send({ success: true }));
await app.listen({ host: '127.0.0.1', port: 0 });

process.on('disconnect', () => process.exit());
process.send!({ port: (app.server.address() as AddressInfo).port, pid: process.pid });
