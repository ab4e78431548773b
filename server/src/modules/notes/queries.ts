// Reads of notes.

import { BREAK_KINDS, type NoteResource } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { byIndex, conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { NOTES, type Note } from './note.ts';

type Filter = { readonly resourceType?: NoteResource; readonly resourceId?: string };

const SELECT = `select ${selected(NOTES)} from notes t`;

const BREAK = 'select 1 from breaks t where t.marketplace_id = $1 and t.kind = $2 and t.subject = $3';

export const createNoteReads = (pool: pg.Pool) => ({
  list(request: PageRequest & Filter): Promise<PageOf<Note>> {
    const filtered = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      byIndex('t.resource_type', request.resourceType),
      ['t.resource_id = ?', request.resourceId],
    ]);
    return readPage<Note>(pool, { select: SELECT, ...filtered, limit: request.limit });
  },

  /** `id`: kind and subject with a colon between them. */
  async hasBreak(marketplaceId: string, id: string): Promise<boolean> {
    const kind = BREAK_KINDS.find((one) => id.startsWith(`${one}:`));
    if (kind === undefined) return false;
    const values = [marketplaceId, kind, id.slice(kind.length + 1)];
    return (await pool.query(BREAK, values)).rows.length > 0;
  },
});

export type NoteReads = ReturnType<typeof createNoteReads>;
