// Reads of provider statements and of their lines. It only reads.

import type pg from 'pg';
import { fromUnits } from '../../books/money.ts';
import { selected } from '../../commit/tables.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { type FileLine, PROVIDER_STATEMENTS, type ProviderStatement } from './statement.ts';

const SELECT = `select ${selected(PROVIDER_STATEMENTS)} from provider_statements t`;

const FIND = `${SELECT} where t.marketplace_id = $1 and t.id = $2`;

const LINES = `select t.number, t.at, t.reference, t.amount, t.currency, t.type, t.fee, t.description
  from provider_statement_lines t where t.marketplace_id = $1 and t.statement_id = $2 order by t.number`;

type LineRow = Omit<FileLine, 'amount' | 'fee'> & { readonly amount: bigint; readonly fee: bigint | null };

export const createStatementFileReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, id: string): Promise<ProviderStatement | null> {
    return (await pool.query<ProviderStatement>(FIND, [marketplaceId, id])).rows[0] ?? null;
  },

  /** In the order of the file. */
  async lines(marketplaceId: string, statementId: string): Promise<FileLine[]> {
    const { rows } = await pool.query<LineRow>(LINES, [marketplaceId, statementId]);
    return rows.map(({ amount, fee, ...row }) => ({
      ...row,
      amount: fromUnits(amount),
      fee: fee === null ? null : fromUnits(fee),
    }));
  },

  list(request: PageRequest & { readonly system?: string }): Promise<PageOf<ProviderStatement>> {
    const { where, values } = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      ['t.system = ?', request.system],
    ]);
    return readPage<ProviderStatement>(pool, { select: SELECT, where, values, limit: request.limit });
  },
});

export type StatementFileReads = ReturnType<typeof createStatementFileReads>;
