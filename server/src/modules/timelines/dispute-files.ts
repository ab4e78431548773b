// The evidence and the messages of an order's disputes, in the snapshot of its timeline. No content of a file is read.

import { TIMELINE_ENTRIES_MAX } from '@holdfast/contract/api/timeline.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { DISPUTE_MESSAGES, type DisputeMessage } from '../dispute-messages/message.ts';
import { EVIDENCE, type Evidence } from '../evidence/evidence.ts';

const READ_MAX = TIMELINE_ENTRIES_MAX + 1;

const EVIDENCE_OF = `select ${selected(EVIDENCE)} from evidence t where t.marketplace_id = $1 and t.dispute_id = any($2)
  order by t.id limit ${READ_MAX}`;

const MESSAGES_OF = `select ${selected(DISPUTE_MESSAGES)} from dispute_messages t where t.marketplace_id = $1 and t.dispute_id = any($2)
  order by t.id limit ${READ_MAX}`;

export type ReadAll = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

/** Most orders have no dispute. */
export const readFiles = async (all: ReadAll, of: { marketplaceId: string; disputeIds: readonly string[] }) => {
  if (of.disputeIds.length === 0) return { evidence: [], messages: [] };
  const values = [of.marketplaceId, of.disputeIds];
  return {
    evidence: await all<Evidence>(EVIDENCE_OF, values),
    messages: await all<DisputeMessage>(MESSAGES_OF, values),
  };
};
