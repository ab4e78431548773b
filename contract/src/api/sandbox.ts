// The sandbox by way of the API: what can be done to the twins of the outside systems, for the caller's own marketplace.
// Where the outside systems are real these routes refuse.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { PAYIN_DECISIONS, PAYOUT_DECISIONS, SANDBOX_FAULTS, SANDBOX_OPERATIONS } from '../sandbox.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { Nullable, Strict, Text, Timestamp } from './fields.ts';
import { ESCROW_EVENT_TYPES } from './webhooks.ts';

const FaultOperation = Type.Enum(SANDBOX_OPERATIONS, {
  description: 'The call that misbehaves.',
  examples: ['deploy'],
});
const FaultName = Type.Enum(SANDBOX_FAULTS, { description: 'How it misbehaves.', examples: ['lost-answer'] });

export const SandboxFault = Type.Object({
  id: Type.String({ examples: ['fault_1'] }),
  operation: FaultOperation,
  fault: FaultName,
  count: Type.Integer({ description: 'How many calls it will still strike.' }),
  delayMs: Nullable(Type.Integer({ description: 'Of those that take time.' })),
  match: Nullable(Type.String({ description: 'Only calls about this; null: any.' })),
});

const Faults = Type.Array(SandboxFault, { description: 'What is armed, for all marketplaces together.' });

const payment = {
  id: Type.String({ description: "The provider's id." }),
  status: Type.String({ description: 'As the provider calls it.', examples: ['CREATED'] }),
  amount: Type.String({ examples: ['25.00'] }),
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
};

export const SandboxPayin = Type.Object({ ...payment, topupId: Type.String({ description: 'The top-up it is for.' }) });
export const SandboxPayout = Type.Object({
  ...payment,
  withdrawalId: Type.String({ description: 'The withdrawal it is for.' }),
});

const Balances = Type.Object(
  { USDC: Type.String({ examples: ['25.0000000'] }), XLM: Type.String({ examples: ['5.0000000'] }) },
  { description: 'What the ledger shows there, seven places.' },
);

export const SANDBOX_SHOWN_MAX = 100;

export const SandboxState = Type.Object({
  time: Timestamp("The twins' time."),
  faults: Faults,
  payins: Type.Array(SandboxPayin),
  payouts: Type.Array(SandboxPayout),
  accounts: Type.Array(
    Type.Object({
      address: Type.String(),
      owner: Type.Enum(['user', 'treasury', 'platform'] as const),
      userId: Nullable(Type.String()),
      balances: Balances,
    }),
  ),
  contracts: Type.Array(
    Type.Object({
      contractId: Type.String(),
      orderId: Type.String(),
      amount: Type.String({ description: "The escrow's amount.", examples: ['25.00'] }),
      balances: Balances,
    }),
  ),
  webhooks: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String({ description: "The provider's name of the event." }),
      about: Type.String({ description: 'The top-up or withdrawal it is about.' }),
      status: Type.String({ description: 'What became of it.', examples: ['delivered'] }),
      fault: Nullable(Type.String({ description: 'The fault that struck it.' })),
      attempts: Type.Integer(),
    }),
  ),
});

const common = {
  access: 'support',
  tag: 'Sandbox',
  wrapping: 'plain',
  status: 200,
  errors: [],
} as const satisfies Partial<Endpoint>;

const ABSENT = 'Where the outside systems are real: 404 `ROUTE_NOT_FOUND`.';
const REFUSED = 'What the sandbox refuses is 400 `VALIDATION_ERROR` with its sentence.';

export const getSandboxState = endpoint({
  ...common,
  method: 'GET',
  path: '/sandbox/state',
  summary: 'State of the sandbox',
  description: `What the twins of the outside systems have of this marketplace, the newest ${SANDBOX_SHOWN_MAX} of each kind. ${ABSENT}`,
  data: SandboxState,
  errors: ['PROVIDER_TIMEOUT'],
});

const FaultList = Type.Object({
  faults: Faults,
  operations: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Which faults each operation knows.',
    examples: [{ fund: ['timeout', 'refusal'] }],
  }),
});

export const listSandboxFaults = endpoint({
  ...common,
  method: 'GET',
  path: '/sandbox/faults',
  summary: 'Armed faults',
  description: `What is armed, and which faults each operation knows. ${ABSENT}`,
  data: FaultList,
  errors: ['PROVIDER_TIMEOUT'],
});

export const armSandboxFault = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/faults',
  summary: 'Arm a fault',
  description: `The next calls of an operation misbehave. Without \`match\` it strikes calls of any marketplace. ${REFUSED} ${ABSENT}`,
  body: Strict({
    operation: FaultOperation,
    fault: FaultName,
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'How many calls it strikes.' }),
    ),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000, description: 'Of those that take time.' })),
    match: Type.Optional(Text(LIMITS.referenceLength, 'Only calls about this order, top-up, withdrawal or address.')),
  }),
  status: 201,
  data: SandboxFault,
  errors: ['PROVIDER_TIMEOUT'],
});

export const clearSandboxFaults = endpoint({
  ...common,
  method: 'DELETE',
  path: '/sandbox/faults',
  summary: 'Disarm all faults',
  description: `Nothing misbehaves any more, for any marketplace. ${ABSENT}`,
  data: Type.Object({ faults: Faults }),
  errors: ['PROVIDER_TIMEOUT'],
});

export const advanceSandboxClock = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/clock/advance',
  summary: "Move the sandbox's clock",
  description: `Moves the time of the twins forward, for all marketplaces; what is due on the way happens. ${ABSENT}`,
  body: Strict({
    seconds: Type.Integer({ minimum: 0, maximum: 3_155_760_000, description: 'How far.', examples: [86_400] }),
  }),
  data: Type.Object({ time: Timestamp("The twins' time now.") }),
  errors: ['PROVIDER_TIMEOUT'],
});

export const paySandboxFaucet = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/faucet',
  summary: 'Pay play money',
  description:
    'An outsider pays to an address of this marketplace: a wallet of a user, the treasury, the platform, or an escrow ' +
    `contract. Any other is 404 \`WALLET_NOT_FOUND\`. ${REFUSED} ${ABSENT}`,
  body: Strict({
    address: Text(64, 'Address on the ledger.', 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'),
    asset: Type.Enum(['USDC', 'XLM'] as const, { description: 'What is paid.' }),
    amount: Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,7})?$',
      description: 'Positive decimal string with at most seven places.',
      examples: ['25.50'],
    }),
  }),
  data: Type.Object({ transactionHash: Type.String() }),
  errors: ['WALLET_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

const Reason = Type.Optional(Text(LIMITS.reasonLength, 'Why; what the provider will say.'));

export const decideSandboxPayin = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/payins/:id/:decision',
  summary: 'Decide about a payin',
  description: `What the payer, or the payment provider, does with a top-up; the webhook is sent. ${REFUSED} ${ABSENT}`,
  params: Strict({
    id: Type.String({ maxLength: 64, description: 'Id of the top-up, or of the payin at the provider.' }),
    decision: Type.Enum(PAYIN_DECISIONS, { description: 'What happens to it.' }),
  }),
  body: Strict({ reason: Reason }),
  bodyOptional: true,
  data: SandboxPayin,
  errors: ['TOPUP_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const decideSandboxPayout = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/payouts/:id/:decision',
  summary: 'Decide about a payout',
  description: `What the payment provider does with a withdrawal; the webhook is sent. ${REFUSED} ${ABSENT}`,
  params: Strict({
    id: Type.String({ maxLength: 64, description: 'Id of the withdrawal, or of the payout at the provider.' }),
    decision: Type.Enum(PAYOUT_DECISIONS, { description: 'What happens to it.' }),
  }),
  body: Strict({ reason: Reason }),
  bodyOptional: true,
  data: SandboxPayout,
  errors: ['WITHDRAWAL_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const sendSandboxEscrowEvent = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/escrow-events',
  summary: 'Send an escrow webhook',
  description:
    "The escrow provider's twin tells this server, signed, what is true of an order's contract. An event that is not true " +
    `of it, and an order without a contract, is refused. ${REFUSED} ${ABSENT}`,
  body: Strict({
    type: Type.Enum(ESCROW_EVENT_TYPES, { description: 'What it tells.', examples: ['escrow.funded'] }),
    orderId: Text(64, 'The order.', 'ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W'),
    milestoneRef: Type.Optional(Text(LIMITS.nameLength, 'Its milestone; `escrow.milestone_completed` needs it.', 'm1')),
  }),
  data: Type.Object({
    eventId: Type.String({ description: "The provider's id of the event." }),
    type: Type.Enum(ESCROW_EVENT_TYPES),
    delivered: Type.Boolean({ description: 'Whether this server took it with a 2xx.' }),
    processed: Nullable(Type.Boolean({ description: 'What this server answered; null when it did not.' })),
  }),
  errors: ['ORDER_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});
