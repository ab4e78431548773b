// Policies: named rules of a marketplace for its orders, and what an operator can do to the deadlines that they give an order. A version
// never changes, and an order keeps its version for life.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { previewChanges } from '../previews.ts';
import { DEADLINE_KINDS, DISPUTE_DEADLINE_ACTIONS, INSPECTION_ACTIONS, POLICY_ROLES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { Id, Name, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';
import { ChangedOrder, Deadline, Order } from './order-records.ts';

const Duration = (description: string, example: string) =>
  Type.String({
    maxLength: 40,
    format: 'duration',
    description: `${description} An ISO 8601 duration of weeks, or of days, hours, minutes and seconds, from PT1S to P3653D.`,
    examples: [example],
  });

const Percent = Type.String({
  pattern: '^\\d{1,2}(\\.\\d{1,2})?$',
  description: 'Percent, from 0 to 99 with at most two decimal places; 0 when it is absent.',
  examples: ['2.50'],
});

const Fee = (description: string, example: string) =>
  Type.String({
    pattern: '^\\d{1,11}(\\.\\d{1,2})?$',
    description: `${description} A decimal string with at most two decimal places, in the currency of the order.`,
    examples: [example],
  });

const terms = {
  percent: Type.Optional(Percent),
  fixed: Type.Optional(Fee('Added to the percentage.', '0.30')),
  min: Type.Optional(Fee('The fee is at least this.', '1.00')),
  max: Type.Optional(Fee('The fee is at most this.', '50.00')),
};

const Roles = (action: string) =>
  Type.Array(Type.Enum(POLICY_ROLES), {
    minItems: 1,
    maxItems: POLICY_ROLES.length,
    uniqueItems: true,
    description: `Who may ${action}; without it, as for an order without a policy.`,
    examples: [['operator']],
  });

const PolicyRules = Strict(
  {
    cancelUnfundedAfter: Type.Optional(
      Duration('Cancels the order when its escrow is not funded so long after its creation.', 'P3D'),
    ),
    autoReleaseAfter: Type.Optional(
      Duration(
        'Releases the order so long after its last milestone was completed, or without milestones after its escrow was funded, unless it is disputed.',
        'P7D',
      ),
    ),
    remindBefore: Type.Optional(
      Type.Array(Duration('How long before each deadline an event reminds of it.', 'P1D'), {
        maxItems: LIMITS.policyReminders,
        uniqueItems: true,
        description:
          'How long before each deadline an event reminds of it. A reminder that would be in the past is left out.',
      }),
    ),
    dispute: Type.Optional(
      Strict(
        {
          decideWithin: Duration('The time to decide a dispute, from its opening.', 'P14D'),
          then: Type.Enum(DISPUTE_DEADLINE_ACTIONS, {
            description: 'What happens when the dispute is not decided in time. `REMIND`: only an event.',
          }),
        },
        { description: 'The deadline of a dispute.' },
      ),
    ),
    milestoneInspection: Type.Optional(
      Strict(
        {
          within: Duration('The time to inspect a milestone, from its completion.', 'P5D'),
          then: Type.Enum(INSPECTION_ACTIONS, {
            description: "What happens afterwards. `RELEASE`: pays the milestone's part. `REMIND`: only an event.",
          }),
        },
        { description: 'The time to inspect a completed milestone.' },
      ),
    ),
    platformFee: Type.Optional(
      Strict(
        {
          ...terms,
          categories: Type.Optional(
            Type.Record(Type.String(), Strict(terms), {
              maxProperties: LIMITS.policyCategories,
              description: "Fees by the order's `metadata.category`, instead of the fee above.",
              examples: [{ books: { percent: '1.00' } }],
            }),
          ),
        },
        {
          description:
            "The platform's fee: the percentage of the seller's part plus the fixed part, within the limits. `metadata.platformFee` of an order wins.",
        },
      ),
    ),
    allow: Type.Optional(
      Strict(
        {
          release: Type.Optional(Roles('release')),
          refund: Type.Optional(Roles('refund')),
          dispute: Type.Optional(Roles('open a dispute')),
          complete_milestone: Type.Optional(Roles('complete a milestone')),
          cancel: Type.Optional(Roles('cancel')),
        },
        {
          description:
            'Who may do what. `operator`: a caller with a key. `buyer`, `seller`: the party, through Surface B; of a dispute also the `openedBy`. Through Surface B the buyer can release; the parties have no route for the other actions, so an action that names only them is left to disputes and deadlines. Deadlines act whatever stands here.',
        },
      ),
    ),
  },
  { maxBytes: LIMITS.policyBytes, description: `The rules; at most ${LIMITS.policyBytes} bytes.` },
);

export const Policy = Type.Object({
  id: Id('policy', 'Id of this version.'),
  name: Type.String({ description: 'The name, which all versions share.' }),
  version: Type.Integer({ description: 'From 1; each creation under the same name is the next version.' }),
  rules: PolicyRules,
  createdAt: Timestamp('When the version was created.'),
});

const PolicyName = Name(
  'Name; unique within the marketplace. The same name again makes the next version. It does not begin with `pol_`.',
  'standard',
  // An id must not be taken for a name, nor the other way round.
  { pattern: '^(?!pol_)\\S([\\s\\S]*\\S)?$' },
);

const common = { tag: 'Policies', wrapping: 'plain', data: Policy } as const;

export const createPolicy = endpoint({
  ...common,
  method: 'POST',
  path: '/policies',
  access: 'write',
  summary: 'Create a policy, or its next version',
  description:
    'Rules for orders: deadlines and what happens when they pass, reminders, the platform fee, and who may do what. A version never ' +
    'changes. An order takes the newest version of a name, or a version by its id, and keeps it. A marketplace has at most ' +
    `${LIMITS.policies} names with ${LIMITS.policyVersions} versions each.`,
  body: Strict({ name: PolicyName, rules: PolicyRules }),
  status: 201,
  errors: ['POLICY_LIMIT'],
  idempotent: true,
});

export const listPolicies = endpoint({
  ...common,
  method: 'GET',
  path: '/policies',
  access: 'read',
  summary: 'List policies',
  description: 'All versions, newest first.',
  query: Strict({ ...Page, name: Type.Optional(Text(LIMITS.nameLength, 'Only versions of this name.', 'standard')) }),
  status: 200,
  wrapping: 'list',
  errors: [],
});

export const getPolicy = endpoint({
  ...common,
  method: 'GET',
  path: '/policies/:id',
  access: 'read',
  summary: 'Get a policy',
  // A malformed id is answered like an unknown id: 404 and not 400.
  params: Strict({ id: Type.String({ maxLength: 64, description: 'Id of the version.' }) }),
  status: 200,
  errors: ['POLICY_NOT_FOUND'],
});

const deadlineParams = Strict({
  id: Type.String({ maxLength: 64, description: 'Order id.' }),
  kind: Type.Enum(DEADLINE_KINDS, {
    description: 'The deadline. A reminder follows its deadline, and is refused here.',
  }),
});

const deadlineFields = {
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.reasonLength,
      pattern: '\\S',
      description: 'Reason; kept in the audit trail.',
      examples: ['the buyer asked for more time'],
    }),
  ),
  milestoneRef: Type.Optional(
    Type.String({
      maxLength: LIMITS.nameLength,
      description:
        'The milestone: needed for `milestone_inspection`, and for the `dispute_decision` of a disputed milestone.',
    }),
  ),
};

const changing = {
  method: 'POST',
  access: 'support',
  tag: 'Policies',
  params: deadlineParams,
  body: Strict(deadlineFields),
  bodyOptional: true,
  status: 200,
  wrapping: 'success',
  data: Order,
  errors: ['ORDER_NOT_FOUND', 'DEADLINE_NOT_FOUND', 'INVALID_STATE'],
  errorStatus: { INVALID_STATE: 400 },
} as const;

export const holdDeadline = endpoint({
  ...changing,
  path: '/orders/:id/deadlines/:kind/hold',
  summary: 'Hold a deadline',
  description: 'It does not pass until it is resumed or triggered.',
});

export const resumeDeadline = endpoint({
  ...changing,
  path: '/orders/:id/deadlines/:kind/resume',
  summary: 'Resume a deadline',
  description: 'A deadline whose time was reached while it was held passes at once.',
});

export const extendDeadline = endpoint({
  ...changing,
  path: '/orders/:id/deadlines/:kind/extend',
  summary: 'Extend a deadline',
  description: 'Sets a later time. Reminders that are still to come move with it.',
  body: Strict({
    ...deadlineFields,
    until: Type.String({
      format: 'date-time',
      description: 'When it passes; later than now and than before, at most ten years from now.',
      examples: ['2026-12-15T09:30:00Z'],
    }),
  }),
  bodyOptional: false,
});

export const triggerDeadline = endpoint({
  ...changing,
  path: '/orders/:id/deadlines/:kind/trigger',
  summary: 'Trigger a deadline',
  description:
    'Carries it out now, also while it is held. A release or refund that it begins continues in the background; a preview shows its end.',
  errors: [...changing.errors, 'DISPUTE_ALREADY_OPEN'],
});

const OutlookStep = Type.Object({
  ...Deadline.properties,
  does: Nullable(
    Type.Enum(['CANCEL', 'RELEASE', 'REFUND', 'REMIND'] as const, {
      description: 'What happens then; null while it is held, and when it would be refused.',
    }),
  ),
  refusal: Nullable(
    Type.Object({ code: Type.String(), message: Type.String() }, { description: 'Why it would wait.' }),
  ),
  preview: Nullable(
    Type.Object({ reply: ChangedOrder, ...previewChanges }, { description: 'The order afterwards, and what changes.' }),
  ),
});

export const getOutlook = endpoint({
  method: 'GET',
  path: '/orders/:id/outlook',
  access: 'read',
  tag: 'Policies',
  summary: 'Get the outlook of an order',
  description:
    'What happens when, if no one acts: the deadlines to come in their order, each with a preview on the same state, so that each one ' +
    `sees what those before it did. Outside systems are assumed to succeed. Nothing is changed. At most ${LIMITS.outlookSteps} steps.`,
  params: Strict({ id: Type.String({ maxLength: 64, description: 'Order id.' }) }),
  status: 200,
  wrapping: 'plain',
  data: Type.Object({
    orderId: Id('order', 'Order id.'),
    steps: Type.Array(OutlookStep),
    more: Type.Boolean({ description: 'Whether later deadlines are left out.' }),
  }),
  errors: ['ORDER_NOT_FOUND'],
});
