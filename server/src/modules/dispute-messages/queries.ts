// Reads of the messages of disputes.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { DISPUTE_MESSAGES, type DisputeMessage } from './message.ts';

const SELECT = `select ${selected(DISPUTE_MESSAGES)} from dispute_messages t`;

export const createDisputeMessageReads = (pool: pg.Pool) => ({
  list(request: PageRequest & { readonly disputeId: string }): Promise<PageOf<DisputeMessage>> {
    const { where, values } = conditions(request.marketplaceId, [
      ['t.dispute_id = ?', request.disputeId],
      ['t.id < ?', request.cursor],
    ]);
    return readPage<DisputeMessage>(pool, { select: SELECT, where, values, limit: request.limit });
  },
});

export type DisputeMessageReads = ReturnType<typeof createDisputeMessageReads>;
