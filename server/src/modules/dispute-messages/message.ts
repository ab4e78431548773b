// A message about a dispute, and the count of the messages of each dispute. A message never changes.

import type { DisputeParty } from '@holdfast/contract/states.ts';
import { table } from '../../commit/tables.ts';
import type { Author } from '../notes/note.ts';

export type DisputeMessage = {
  readonly id: string;
  readonly disputeId: string;
  readonly sender: DisputeParty;
  readonly text: string;
  readonly author: Author;
  readonly createdAt: string;
};

type DisputeMessageCount = {
  /** Of the dispute. */
  readonly id: string;
  readonly messages: number;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    disputeMessages: DisputeMessage;
    disputeMessageCounts: DisputeMessageCount;
  }
  interface Lookups {
    disputeMessages: Record<never, string>;
    disputeMessageCounts: Record<never, string>;
  }
}

export const DISPUTE_MESSAGES = table('disputeMessages', {
  notFound: 'INTERNAL_ERROR',
  sql: 'dispute_messages',
  columns: ['id', 'disputeId', 'sender', 'text', 'author', 'createdAt'],
  lookups: {},
});

export const DISPUTE_MESSAGE_COUNTS = table('disputeMessageCounts', {
  notFound: 'INTERNAL_ERROR',
  sql: 'dispute_message_counts',
  columns: ['id', 'messages', 'updatedAt'],
  lookups: {},
});
