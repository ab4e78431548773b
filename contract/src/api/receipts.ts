// The receipt of an order: what was paid, what both sides got, the fees, and the hashes of the transactions on the ledger. A receipt can
// have one public link.

import Type from 'typebox';
import { ORDER_STATUSES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, Exact, Id, Nullable, Strict, Timestamp } from './fields.ts';

const RECEIPT_FORMATS = ['json', 'html', 'pdf'] as const;

export const RECEIPT_LINK_DAYS = { usual: 30, max: 365 } as const;

const Party = Type.Object({
  id: Id('user', 'User id.'),
  name: Type.String({
    description: '`name` of the user, or else `metadata.displayName`, or else `externalUserId`.',
    examples: ['Ada Lovelace'],
  }),
});

const ReceiptMilestone = Type.Object({
  ref: Type.String(),
  title: Type.String(),
  amount: Exact('Amount of the milestone.'),
  status: Type.String(),
  released: Nullable(
    Exact(
      "The seller's part, before the fee. Of milestones that were paid together: its share, in their order. Null: it was not paid.",
    ),
  ),
  refunded: Nullable(Exact("The buyer's part, likewise. Null: it was not paid.")),
  fee: Nullable(Exact('The platform fee on the released part. Null: it was not paid.')),
});

const ReceiptPayment = Type.Object({
  at: Timestamp('When it was booked.'),
  move: Type.String({ description: 'Kind of the change, as in statements.', examples: ['pay_seller'] }),
  amount: Exact("Negative for money that left the order's escrow."),
});

const ReceiptTransaction = Type.Object({
  hash: Type.String({ description: 'Hash of the transaction on the ledger.' }),
  call: Type.String({ description: 'What the transaction asked the contract to do.', examples: ['fund'] }),
  milestoneRef: Nullable(Type.String({ description: 'Null: it concerns the whole order.' })),
  at: Timestamp('When the ledger had it.'),
  url: Nullable(Type.String({ description: 'Where it can be looked up, if LEDGER_EXPLORER_URL is set.' })),
});

export const Receipt = Type.Object({
  orderId: Id('order', 'The order.'),
  marketplaceId: Type.String({ description: 'The marketplace.' }),
  title: Type.String({ description: 'Title of the order.' }),
  clientOrderRef: Nullable(Type.String()),
  status: Type.Enum(ORDER_STATUSES, { description: 'State of the order.' }),
  finalStatus: Nullable(Type.String({ description: 'Null until the order is closed.' })),
  asOf: Timestamp('The last change of the order.'),
  createdAt: Timestamp('When the order was created.'),
  currency: CurrencyCode,
  buyer: Party,
  seller: Party,
  amount: Exact('Amount of the order.'),
  funded: Exact('What the buyer paid into escrow.'),
  released: Exact('What was released to the seller, before the platform fee.'),
  platformFee: Exact('The same as `platformFeeAmount`: an amount, and not a percentage.'),
  platformFeeAmount: Exact('What the platform kept of it.'),
  sellerNet: Exact('What the seller got.'),
  refunded: Exact('What the buyer got back.'),
  inEscrow: Exact('What is still in escrow: funded less released and refunded.'),
  protocolFee: Exact("Fee of the escrow provider's protocol. The platform bears it."),
  networkFee: Exact('Fees of the ledger network for the transactions below, in XLM. The platform bears them.'),
  milestones: Type.Array(ReceiptMilestone),
  payments: Type.Array(ReceiptPayment, { description: "Every posting on the order's escrow, oldest first." }),
  contractId: Nullable(Type.String({ description: 'Address of the escrow contract on the ledger.' })),
  transactions: Type.Array(ReceiptTransaction, { description: 'Oldest first; only those that succeeded.' }),
  publicLink: Nullable(
    Type.Object(
      { createdAt: Timestamp('When the link was created.'), expiresAt: Timestamp('When it stops to work.') },
      { description: 'The active public link, without its address, which is shown only once. Null: there is none.' },
    ),
  ),
});

const params = Strict({ id: Type.String({ maxLength: 64, description: 'Order id.' }) });

export const getReceipt = endpoint({
  method: 'GET',
  path: '/orders/:id/receipt',
  access: 'read',
  tag: 'Receipts',
  summary: 'Get receipt',
  description: `The receipt of an order whose money has moved into escrow: the parties, every amount from the postings themselves, the
milestones, the contract and the hashes of the transactions on the ledger. Answers \`{ data, meta }\`. \`format=html\` and \`format=pdf\` answer
the same figures as a document for people with the brand of the settings; the same state gives the same bytes. An order whose money has never
been in escrow has no receipt: 409 \`RECEIPT_NOT_AVAILABLE\`.`,
  params,
  query: Strict({ format: Type.Optional(Type.Enum(RECEIPT_FORMATS, { default: 'json' })) }),
  status: 200,
  wrapping: 'raw',
  data: Receipt,
  errors: ['ORDER_NOT_FOUND', 'RECEIPT_NOT_AVAILABLE', 'SERVICE_UNAVAILABLE'],
});

export const createReceiptLink = endpoint({
  method: 'POST',
  path: '/orders/:id/receipt-link',
  access: 'write',
  tag: 'Receipts',
  summary: 'Create public receipt link',
  description: `Creates a link at which anyone who has it can read the receipt of the order as a page, without a key. The page names the parties
by \`name\`, \`metadata.displayName\` or their user id, and shows no e-mail addresses of users. The server stores only a hash of the link, so the link is
shown once. An order has at most one link: a new one replaces the old one. Public receipts are off until PUBLIC_RECEIPTS is on; until then the
answer is 409 \`PUBLIC_RECEIPTS_OFF\`.`,
  params,
  body: Strict({
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: RECEIPT_LINK_DAYS.max,
        default: RECEIPT_LINK_DAYS.usual,
        description: 'How long the link works.',
      }),
    ),
  }),
  bodyOptional: true,
  status: 201,
  wrapping: 'plain',
  data: Type.Object({
    url: Type.String({ description: 'The link. It is a secret, and it is shown only here.' }),
    expiresAt: Timestamp('When it stops to work.'),
  }),
  errors: ['ORDER_NOT_FOUND', 'PUBLIC_RECEIPTS_OFF', 'RECEIPT_NOT_AVAILABLE'],
  idempotent: true,
  secretAnswer: true,
});

export const revokeReceiptLink = endpoint({
  method: 'DELETE',
  path: '/orders/:id/receipt-link',
  access: 'write',
  tag: 'Receipts',
  summary: 'Revoke public receipt link',
  description: 'The link answers 404 at once. An order without an active link is 404 `RECEIPT_LINK_NOT_FOUND`.',
  params,
  status: 200,
  wrapping: 'plain',
  data: Type.Object({ revokedAt: Timestamp('When the link stopped to work.') }),
  errors: ['ORDER_NOT_FOUND', 'RECEIPT_LINK_NOT_FOUND'],
});
