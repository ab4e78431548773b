// Answers of a report as CSV: chosen by `format=csv`, or by a client that names text/csv first. Every other client gets JSON.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { guardedRow } from '../base/csv.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** The table of a report. The first row has the names of the columns. */
export type CsvTable = {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly rows: readonly (readonly (string | null)[])[];
};

/** CSV only for a client that names it first. */
export const prefersCsv = (accept: string | undefined): boolean => /^\s*text\/csv\b/i.test(accept ?? '');

export const wantsCsv = ({ query, headers }: FastifyRequest): boolean => {
  const { format } = query as { format?: string };
  return format === undefined ? prefersCsv(headers.accept) : format === 'csv';
};

export const sendCsv = (reply: FastifyReply, { name, rows }: CsvTable): void =>
  void reply
    .header('content-type', CSV_TYPE)
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(rows.map(guardedRow).join(''));
