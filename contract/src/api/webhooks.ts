// Webhook routes: what outside systems tell by themselves. Their bodies are theirs, so fields that we do not know are
// passed over, and their answers have no envelope.

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

/** Others leave out what they do not know, or write null or nothing. */
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

/** Not read, so its form does not matter. */
const Unread = (description: string, example: string) =>
  Type.Optional(Type.Unknown({ description, examples: [example] }));

const EscrowEventData = Type.Object({
  contract_id: Told("The contract's address; the escrow's providerContractId."),
  order_id: Told('The order that the contract was made for.', 'ord_01JCQ4Z8V5R2M3N6P7Q8S9T0VW'),
  status: Unread('What the provider calls the state.', 'funded'),
  amount: Told("In the ledger's smallest unit, 10^-7.", '250000000'),
  currency: Told("The order's currency, or the ledger's asset.", 'USDC'),
  buyer_address: Told("The buyer's address on the ledger."),
  seller_address: Told("The seller's address on the ledger."),
  transaction_hash: Told('The transaction that did it; looked up on the ledger before anything is changed.'),
  milestone_ref: Told('The milestone, where it is about one.', 'design'),
  created_at: Unread('As the provider has it.', '2026-11-15T09:30:00Z'),
  updated_at: Unread('As the provider has it.', '2026-11-15T09:30:00Z'),
});

export const takeEscrowWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/escrow-provider',
  access: 'public',
  tag: 'Webhooks',
  summary: 'Take an escrow webhook',
  description: `What the escrow provider tells: ${ESCROW_EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.

The header \`x-escrow-signature\` is the HMAC-SHA256 of the raw body in hex, keyed with the whole shared secret. A wrong one
is refused before the body is looked at. Without the header the event is a hint: what it claims is first read from the
provider and the ledger, and nothing moves on the sender's word alone.

Answers \`{ "status": "ok", "processed": true }\`, the same for an event that was taken before. An event that cannot be
applied is answered with \`"processed": false\` and tried again when it is repeated.`,
  body: Type.Object({
    type: Text(LIMITS.nameLength, 'What happened.', 'escrow.funded'),
    event_id: Text(
      LIMITS.referenceLength,
      "The provider's own id of the event; only one of them is applied.",
      'evt-1042',
    ),
    data: Type.Optional(Nullable(EscrowEventData)),
  }),
  status: 200,
  wrapping: 'raw',
  data: Type.Object({ status: Type.Literal('ok'), processed: Type.Boolean() }),
  errors: ['WEBHOOK_SIGNATURE_INVALID'],
});
