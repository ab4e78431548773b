// Routes of the messages of disputes.

import * as api from '@holdfast/contract/api/dispute-messages.ts';
import { DomainError } from '../../base/domain-error.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, write } from '../../http/route.ts';
import { authorOf } from '../notes/routes.ts';
import type { DisputeMessage } from './message.ts';
import type { DisputeMessageReads } from './queries.ts';
import { sendDisputeMessage } from './send-message.ts';

type Parts = {
  readonly messages: DisputeMessageReads;
  hasDispute(marketplaceId: string, disputeId: string): Promise<boolean>;
};

const presentMessage = ({ id, disputeId, sender: from, text, author, createdAt }: DisputeMessage) => ({
  id,
  disputeId,
  from,
  text,
  author,
  createdAt,
});

export const disputeMessageRoutes = ({ messages, hasDispute }: Parts): Route[] => [
  write(api.sendDisputeMessage, {
    command: sendDisputeMessage,
    input: ({ params: { id: disputeId }, body: { from: sender, text }, caller, context }) => ({
      disputeId,
      sender,
      text,
      author: authorOf(caller, context),
    }),
    present: presentMessage,
  }),
  list(api.listDisputeMessages, async ({ params: { id: disputeId }, query, context }) => {
    const request = pageRequest('disputeMessage', { query, context });
    if (!(await hasDispute(context.marketplaceId, disputeId))) throw new DomainError('DISPUTE_NOT_FOUND');
    const page = await messages.list({ ...request, disputeId });
    return { items: page.rows.map(presentMessage), nextCursor: page.nextCursor };
  }),
];
