// What these routes take and give.
// Printed from contract/src/api/dispute-messages.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Author } from './notes.ts';

export type DisputeMessage = {
  /** Message id. */
  id: string;
  /** The dispute. */
  disputeId: string;
  /** Who says it. The author is the caller, who sends it in their name. */
  from: 'BUYER' | 'SELLER' | 'OPERATOR';
  /** As it was written. */
  text: string;
  author: Author;
  /** When it was sent. */
  createdAt: string;
};

export type ListDisputeMessagesQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
};

export type SendDisputeMessageInput = {
  /** Who says it. The author is the caller, who sends it in their name. */
  from: 'BUYER' | 'SELLER' | 'OPERATOR';
  /** The message. */
  text: string;
};
