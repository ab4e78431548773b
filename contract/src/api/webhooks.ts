// The webhooks of the outside systems. The sender defines the body, so unknown fields are ignored. The answers have no envelope.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Nullable, Text } from './fields.ts';

export const ESCROW_EVENT_TYPES = [
  'escrow.created',
  'escrow.funding_started',
  'escrow.funded',
  'escrow.milestone_completed',
  'escrow.released',
  'escrow.refunded',
  'escrow.disputed',
] as const;

export type EscrowEventType = (typeof ESCROW_EVENT_TYPES)[number];

/** Senders omit unknown values, or send null or an empty text. */
const Told = (description: string, example?: string) =>
  Type.Optional(
    Nullable(
      Type.String({
        maxLength: LIMITS.referenceLength,
        description,
        ...(example === undefined ? {} : { examples: [example] }),
      }),
    ),
  );

/** The server does not read the field, so it accepts any form. */
const Unread = (description: string, example: string) =>
  Type.Optional(Type.Unknown({ description, examples: [example] }));

const EscrowEventData = Type.Object({
  contract_id: Told("The contract's address; the escrow's providerContractId."),
  order_id: Told('The order that the contract was made for.', 'ord_01JCQ4Z8V5R2M3N6P7Q8S9T0VW'),
  status: Unread("The provider's name of the state.", 'funded'),
  amount: Told("In the ledger's smallest unit, 10^-7.", '250000000'),
  currency: Told("The order's currency, or the ledger's asset.", 'USDC'),
  buyer_address: Told("The buyer's address on the ledger."),
  seller_address: Told("The seller's address on the ledger."),
  transaction_hash: Told('The transaction of the event; checked on the ledger before anything changes.'),
  milestone_ref: Told('The milestone, if the event concerns one.', 'design'),
  created_at: Unread('Time at the provider.', '2026-11-15T09:30:00Z'),
  updated_at: Unread('Time at the provider.', '2026-11-15T09:30:00Z'),
});

export const takeEscrowWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/escrow-provider',
  access: 'public',
  tag: 'Webhooks',
  summary: 'Receive an escrow webhook',
  description: `Events of the escrow provider: ${ESCROW_EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.

The header \`x-escrow-signature\` is the HMAC-SHA256 of the raw body in hex, keyed with the whole shared secret. A wrong one
is refused before the body is read. Without the header the event is a hint: what it claims is first read from the
provider and the ledger, and no money moves on the sender's word alone. Only a few hints are checked in a minute
(\`HINTS_PER_MINUTE\`). With \`ESCROW_WEBHOOK_CHECK=verify\` a signed event about money needs the provider and the ledger too.

\`escrow.created\` may only name the contract that the service deployed for the order. \`escrow.milestone_completed\` has the
amount of the milestone, of the escrow, or none.

Answers \`{ "status": "ok", "processed": true }\`, also for an event that was processed before. An event that cannot be
applied is answered with \`"processed": false\` and tried again when it is repeated. A signed event that cannot be checked
at the moment is kept, and the service checks it again.`,
  body: Type.Object({
    type: Text(LIMITS.nameLength, 'Type of the event.', 'escrow.funded'),
    event_id: Text(LIMITS.referenceLength, "The provider's id of the event; each id is applied once.", 'evt-1042'),
    data: Type.Optional(Nullable(EscrowEventData)),
  }),
  status: 200,
  wrapping: 'raw',
  data: Type.Object({ status: Type.Literal('ok'), processed: Type.Boolean() }),
  errors: ['WEBHOOK_SIGNATURE_INVALID'],
});

/** Only describes the body: the server reads the raw bytes that were signed. */
const Raw = (description: string, example: unknown) =>
  Type.Optional(Type.Unknown({ description, examples: [example] }));

const PaymentEventData = Type.Object({
  id: Raw("The provider's id of the payment.", '5f8e6a0e-0f7c-4d0e-9a53-8a9c1d2e3f40'),
  code: Raw('Id of the top-up or the withdrawal.', 'top_01J9ZQ8H7K5M3N2P4R6S8T0V1W'),
  amount: Raw('In whole units.', 25.5),
  currency: Raw('Currency code.', 'USD'),
  status: Raw("The provider's name of the state.", 'CONFIRMED'),
  reasonCode: Raw("The provider's code of the failure.", null),
  reasonDescription: Raw('Why the payment failed.', null),
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
    eventId: Raw("The provider's id of the event; each id is applied once.", 'evt-1042'),
    eventType: Raw('Type of the event.', 'payin.succeeded'),
    type: Raw('The event type in the other spelling.', 'payin.confirmed'),
    occurredAt: Raw('When the event happened.', '2026-11-15T09:30:00Z'),
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
