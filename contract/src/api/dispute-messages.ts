// Messages of a dispute, between its parties and the people of the marketplace. A message never changes.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { DISPUTE_PARTIES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { Id, Page, Strict, Text, Timestamp } from './fields.ts';
import { Author } from './notes.ts';

// A malformed id is answered like an unknown id: 404 and not 400.
const params = Strict({ id: Type.String({ maxLength: 64, description: 'Dispute id.' }) });

const From = Type.Enum(DISPUTE_PARTIES, {
  description: 'Who says it. The author is the caller, who sends it in their name.',
  examples: ['SELLER'],
});

export const DisputeMessage = Type.Object({
  id: Id('disputeMessage', 'Message id.'),
  disputeId: Id('dispute', 'The dispute.'),
  from: From,
  text: Type.String({ description: 'As it was written.' }),
  author: Author,
  createdAt: Timestamp('When it was sent.'),
});

const common = { path: '/disputes/:id/messages', tag: 'Disputes', params, data: DisputeMessage } as const;

export const sendDisputeMessage = endpoint({
  ...common,
  method: 'POST',
  access: 'write',
  summary: 'Send a message',
  description:
    `Until the dispute is resolved; at most ${LIMITS.disputeMessages} for each dispute. The event \`dispute.message\` names the message and does ` +
    'not contain its text, and the audit trail contains only its length and its SHA-256 hash.',
  body: Strict({ from: From, text: Text(LIMITS.noteLength, 'The message.', 'I sent it on Monday.') }),
  status: 201,
  wrapping: 'plain',
  errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_MESSAGE_LIMIT'],
  idempotent: true,
});

export const listDisputeMessages = endpoint({
  ...common,
  method: 'GET',
  access: 'read',
  summary: 'List messages',
  description: 'Newest first.',
  query: Strict({ ...Page }),
  status: 200,
  wrapping: 'list',
  errors: ['DISPUTE_NOT_FOUND'],
});
