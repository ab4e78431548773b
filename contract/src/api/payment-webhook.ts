// The payment provider's webhook: what it tells by itself. Its body is its own, so fields that we do not know are passed
// over, and the answer has no envelope.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';

/** Read from the bytes that were signed; here it is only described. */
const Told = (description: string, example: unknown) =>
  Type.Optional(Type.Unknown({ description, examples: [example] }));

const PaymentEventData = Type.Object({
  id: Told("The provider's id of the payment.", '5f8e6a0e-0f7c-4d0e-9a53-8a9c1d2e3f40'),
  code: Told('Our id: of the top-up or the withdrawal.', 'top_01J9ZQ8H7K5M3N2P4R6S8T0V1W'),
  amount: Told('In whole units.', 25.5),
  currency: Told('Currency code.', 'USD'),
  status: Told('What the provider calls the state.', 'CONFIRMED'),
  reasonCode: Told("The provider's code of a failure.", null),
  reasonDescription: Told('Why it failed.', null),
});

export const takePaymentWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/payment-provider',
  access: 'public',
  tag: 'Webhooks',
  summary: 'Take a payment webhook',
  description: `What the payment provider tells about payments in (\`payin.*\`) and out (\`payout.*\`), in its own spelling
(\`type\`, with the event's id in the header) or in this one (\`eventType\`, \`eventId\`).

Three headers carry the message's id, its Unix time and its signatures: the HMAC-SHA256 of \`id.timestamp.body\` under the
shared secret, in base64. A wrong or missing one is refused before the body is looked at, and so is a message that is more
than five minutes old.

Answers \`{ "status": "ok", "processed": true }\`; \`{ "status": "ok", "duplicate": true }\` for an event that was taken
before; \`{ "status": "ok", "processed": false }\` for one that cannot be applied, which is tried again when it is repeated.
What is over already stays as it is, and what is told in another order than it happened changes nothing.`,
  body: Type.Object({
    eventId: Told("The provider's own id of the event; only one of them is applied.", 'evt-1042'),
    eventType: Told('What happened.', 'payin.succeeded'),
    type: Told('The same in the other spelling.', 'payin.confirmed'),
    occurredAt: Told('When it happened.', '2026-11-15T09:30:00Z'),
    data: Type.Optional(PaymentEventData),
  }),
  status: 200,
  wrapping: 'raw',
  data: Type.Object({
    status: Type.Literal('ok'),
    processed: Type.Optional(Type.Boolean()),
    duplicate: Type.Optional(Type.Boolean()),
  }),
  errors: ['WEBHOOK_SIGNATURE_INVALID'],
});
