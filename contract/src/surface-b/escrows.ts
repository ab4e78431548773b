// The escrow of a project: created and funded in one call, and released.

import Type from 'typebox';
import { ESCROW_STATUSES } from '../states.ts';
import { surfaceBEndpoint } from './endpoint.ts';
import { AskedMoney, CurrencyCode, Id, ShownMoney, Strict, Timestamp } from './fields.ts';

const EscrowId = Id('escrow', 'Escrow id, the same as on the other surface.');
const Status = (status: string) =>
  Type.Enum(
    ESCROW_STATUSES.map((each) => each.toLowerCase()),
    { examples: [status] },
  );

// A malformed id is answered like an unknown id.
const Reference = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] });

const SAMPLE = '01J9ZQ8H7K5M3N2P4R6S8T0V1W';

export const initEscrow = surfaceBEndpoint({
  method: 'POST',
  path: '/escrow/init',
  access: 'optional',
  tag: 'Escrow',
  summary: 'Initialise escrow',
  description:
    "Reserves the buyer's money, deploys the contract on the ledger and funds it. The buyer is the owner of the " +
    'project. A token is optional; if sent, it must be the owner’s. After a 504 the setup of the escrow continues: ' +
    'repeat the same request to get its result.',
  body: Strict({
    project_id: Reference('The project.', `prj_${SAMPLE}`),
    seller_id: Reference('The seller, who is paid.', `usr_${SAMPLE}`),
    amount: AskedMoney('At most the budget.'),
    currency: CurrencyCode,
  }),
  data: Type.Object({
    escrow_id: EscrowId,
    project_id: Id('project', 'The project.'),
    buyer_id: Id('user', 'The buyer, who pays.'),
    seller_id: Id('user', 'The seller, who is paid.'),
    amount: ShownMoney('Amount of the escrow.'),
    currency: CurrencyCode,
    status: Status('funded'),
    created_at: Timestamp('When it was created.'),
  }),
  message: 'Escrow initialized successfully',
  refusals: [
    ...(['noToken', 'notOwner', 'noProject', 'noSeller', 'ownSeller', 'otherCurrency', 'overBudget'] as const),
    ...(['outOfLimits', 'escrowExists', 'tooLittle', 'notFunded', 'calledOff', 'beingSetUp'] as const),
  ],
});

export const releaseEscrow = surfaceBEndpoint({
  method: 'POST',
  path: '/escrow/release',
  access: 'bearer',
  tag: 'Escrow',
  summary: 'Release escrow',
  description: 'Pays the seller, minus the platform fee. Only the buyer can release the escrow.',
  body: Strict({ escrow_id: Reference('The escrow.', `esc_${SAMPLE}`) }),
  data: Type.Object({
    escrow_id: EscrowId,
    status: Status('released'),
    released_amount: ShownMoney("The escrow's amount."),
    released_at: Timestamp('When it was released.'),
  }),
  message: 'Escrow released successfully',
  refusals: ['noEscrow', 'notBuyer', 'notReleasable', 'beingReleased'],
});
