// The sandbox through the API: commands for the simulators of the outside systems, for the caller's own marketplace. Where the
// outside systems are real these routes refuse.

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
const FaultName = Type.Enum(SANDBOX_FAULTS, { description: 'How the call misbehaves.', examples: ['lost-answer'] });

export const SandboxFault = Type.Object({
  id: Type.String({ examples: ['fault_1'] }),
  operation: FaultOperation,
  fault: FaultName,
  count: Type.Integer({ description: 'How many more calls the fault affects.' }),
  delayMs: Nullable(Type.Integer({ description: 'Delay of the faults that take time.' })),
  match: Nullable(Type.String({ description: 'Only calls about this id or address; null for any call.' })),
});

const Faults = Type.Array(SandboxFault, { description: 'Armed faults, for all marketplaces.' });

const payment = {
  id: Type.String({ description: "The provider's id." }),
  status: Type.String({ description: "The provider's name of the status.", examples: ['CREATED'] }),
  amount: Type.String({ examples: ['25.00'] }),
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
};

export const SandboxPayin = Type.Object({
  ...payment,
  topupId: Type.String({ description: 'The top-up of the payin.' }),
});
export const SandboxPayout = Type.Object({
  ...payment,
  withdrawalId: Type.String({ description: 'The withdrawal of the payout.' }),
});

const Balances = Type.Object(
  { USDC: Type.String({ examples: ['25.0000000'] }), XLM: Type.String({ examples: ['5.0000000'] }) },
  { description: 'The balance on the ledger, seven decimal places.' },
);

export const SANDBOX_SHOWN_MAX = 100;

export const SandboxState = Type.Object({
  time: Timestamp('The time of the simulators.'),
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
      about: Type.String({ description: 'The top-up or withdrawal of the webhook.' }),
      status: Type.String({ description: 'Delivery status.', examples: ['delivered'] }),
      fault: Nullable(Type.String({ description: 'The fault that affected the delivery.' })),
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

const ABSENT = 'With real outside systems the answer is 404 `ROUTE_NOT_FOUND`.';
const REFUSED = 'A refusal of the sandbox is 400 `VALIDATION_ERROR` with its message.';

export const getSandboxState = endpoint({
  ...common,
  method: 'GET',
  path: '/sandbox/state',
  summary: 'Get the state of the sandbox',
  description: `Records of this marketplace at the simulators of the outside systems, the newest ${SANDBOX_SHOWN_MAX} of each kind. ${ABSENT}`,
  data: SandboxState,
  errors: ['PROVIDER_TIMEOUT'],
});

const FaultList = Type.Object({
  faults: Faults,
  operations: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'The faults that each operation supports.',
    examples: [{ fund: ['timeout', 'refusal'] }],
  }),
});

export const listSandboxFaults = endpoint({
  ...common,
  method: 'GET',
  path: '/sandbox/faults',
  summary: 'List faults',
  description: `Armed faults, and the faults that each operation supports. ${ABSENT}`,
  data: FaultList,
  errors: ['PROVIDER_TIMEOUT'],
});

export const armSandboxFault = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/faults',
  summary: 'Arm a fault',
  description: `The next calls of an operation misbehave. Without \`match\` the fault affects calls of any marketplace. ${REFUSED} ${ABSENT}`,
  body: Strict({
    operation: FaultOperation,
    fault: FaultName,
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'How many calls the fault affects.' }),
    ),
    delayMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 86_400_000, description: 'Delay of the faults that take time.' }),
    ),
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
  summary: 'Clear all faults',
  description: `Clears all faults, for all marketplaces. ${ABSENT}`,
  data: Type.Object({ faults: Faults }),
  errors: ['PROVIDER_TIMEOUT'],
});

export const advanceSandboxClock = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/clock/advance',
  summary: 'Advance the sandbox clock',
  description: `Moves the time of the simulators forward, for all marketplaces. Everything that falls due happens. ${ABSENT}`,
  body: Strict({
    seconds: Type.Integer({
      minimum: 0,
      maximum: 3_155_760_000,
      description: 'How many seconds forward.',
      examples: [86_400],
    }),
  }),
  data: Type.Object({ time: Timestamp('The new time of the simulators.') }),
  errors: ['PROVIDER_TIMEOUT'],
});

export const paySandboxFaucet = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/faucet',
  summary: 'Deposit play money',
  description:
    'An outside account pays to an address of this marketplace: a wallet of a user, the treasury, the platform, or an ' +
    'escrow contract. A wallet that is not on the ledger yet is activated first. ' +
    `Any other address is 404 \`WALLET_NOT_FOUND\`. ${REFUSED} ${ABSENT}`,
  body: Strict({
    address: Text(64, 'Address on the ledger.', 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'),
    asset: Type.Enum(['USDC', 'XLM'] as const, { description: 'The asset that is paid.' }),
    amount: Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,7})?$',
      description: 'Positive decimal string with at most seven decimal places.',
      examples: ['25.50'],
    }),
  }),
  data: Type.Object({ transactionHash: Type.String() }),
  errors: ['WALLET_NOT_FOUND', 'WALLET_ACTIVATION_LIMIT', 'PROVIDER_TIMEOUT'],
});

const Reason = Type.Optional(Text(LIMITS.reasonLength, 'The reason that the provider gives.'));

export const decideSandboxPayin = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/payins/:id/:decision',
  summary: 'Play the payer of a top-up',
  description: `Makes the payer or the payment provider act on a top-up, and sends the webhook. ${REFUSED} ${ABSENT}`,
  params: Strict({
    id: Type.String({ maxLength: 64, description: 'Id of the top-up, or of the payin at the provider.' }),
    decision: Type.Enum(PAYIN_DECISIONS, { description: 'What happens to the payin.' }),
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
  summary: 'Play the payment provider of a withdrawal',
  description: `Makes the payment provider act on a withdrawal, and sends the webhook. ${REFUSED} ${ABSENT}`,
  params: Strict({
    id: Type.String({ maxLength: 64, description: 'Id of the withdrawal, or of the payout at the provider.' }),
    decision: Type.Enum(PAYOUT_DECISIONS, { description: 'What happens to the payout.' }),
  }),
  body: Strict({ reason: Reason }),
  bodyOptional: true,
  data: SandboxPayout,
  errors: ['WITHDRAWAL_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

const MILESTONE_COMPLETED = 'escrow.milestone_completed';

export const sendSandboxEscrowEvent = endpoint({
  ...common,
  method: 'POST',
  path: '/sandbox/escrow-events',
  summary: 'Send an escrow webhook',
  description:
    "The simulator of the escrow provider sends this server a signed event about an order's contract. An event that does " +
    `not match the state of the contract is refused, and so is an order without a contract. ${REFUSED} ${ABSENT}`,
  body: Strict(
    {
      type: Type.Enum(ESCROW_EVENT_TYPES, { description: 'Type of the event.', examples: ['escrow.funded'] }),
      orderId: Text(64, 'The order.', 'ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W'),
      milestoneRef: Type.Optional(
        Text(LIMITS.nameLength, 'Its milestone; `escrow.milestone_completed` needs it.', 'm1'),
      ),
    },
    {
      variants: [
        { only: { type: ESCROW_EVENT_TYPES.filter((type) => type !== MILESTONE_COMPLETED) } },
        { only: { type: [MILESTONE_COMPLETED] }, needs: ['milestoneRef'] },
      ],
    },
  ),
  data: Type.Object({
    eventId: Type.String({ description: "The provider's id of the event." }),
    type: Type.Enum(ESCROW_EVENT_TYPES),
    delivered: Type.Boolean({ description: 'Whether this server answered with a 2xx status.' }),
    processed: Nullable(
      Type.Boolean({ description: 'The `processed` field of the answer of this server; null without an answer.' }),
    ),
  }),
  errors: ['ORDER_NOT_FOUND', 'ESCROW_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});
