// The webhook of the payment provider. The provider defines the body, so unknown fields are ignored. The answer has no envelope.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';

/** Only describes the body: the server reads the raw bytes that were signed. */
const Told = (description: string, example: unknown) =>
  Type.Optional(Type.Unknown({ description, examples: [example] }));

const PaymentEventData = Type.Object({
  id: Told("The provider's id of the payment.", '5f8e6a0e-0f7c-4d0e-9a53-8a9c1d2e3f40'),
  code: Told('Id of the top-up or the withdrawal.', 'top_01J9ZQ8H7K5M3N2P4R6S8T0V1W'),
  amount: Told('In whole units.', 25.5),
  currency: Told('Currency code.', 'USD'),
  status: Told("The provider's name of the state.", 'CONFIRMED'),
  reasonCode: Told("The provider's code of the failure.", null),
  reasonDescription: Told('Why the payment failed.', null),
});

export const takePaymentWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/payment-provider',
  access: 'public',
  tag: 'Webhooks',
  summary: 'Receive a payment webhook',
  description: `Reports of the payment provider on pay-ins (\`payin.*\`) and payouts (\`payout.*\`), in its own spelling
(\`type\`, with the event's id in the header) or in the spelling of this API (\`eventType\`, \`eventId\`).

Three headers carry the message's id, its Unix time and its signatures: the HMAC-SHA256 of \`id.timestamp.body\` under the
shared secret, in base64. A wrong or missing one is refused before the body is read, and so is a message that is more
than five minutes old. A server without a shared secret that only its own machine can reach accepts a message without these
headers, with a warning in its log: for local development.

Answers \`{ "status": "ok", "processed": true }\`; \`{ "status": "ok", "duplicate": true }\` for an event that was processed
before; \`{ "status": "ok", "processed": false }\` for an event that cannot be applied, which is tried again when it is repeated.
An ended payment stays as it is, and an event that arrives out of order changes nothing.`,
  body: Type.Object({
    eventId: Told("The provider's id of the event; each id is applied once.", 'evt-1042'),
    eventType: Told('Type of the event.', 'payin.succeeded'),
    type: Told('The event type in the other spelling.', 'payin.confirmed'),
    occurredAt: Told('When the event happened.', '2026-11-15T09:30:00Z'),
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
