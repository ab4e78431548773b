// Sends several statements of a pipelined connection in one write to its socket. The driver writes each statement on its own, and every
// write wakes the backend: a commit of ten statements cost ten system calls.

import type pg from 'pg';
import type { StatementBatch } from './statement-batch.ts';

const sendOne = (client: pg.Client, statement: string | StatementBatch): Promise<unknown>[] => {
  if (typeof statement === 'string') return [client.query(statement)];
  const queries = [...statement.preparations(client), statement];
  for (const query of queries) client.query(query);
  return queries.map(({ answered }) => answered);
};

/** The answers in the order of the statements. */
export const sendTogether = (
  client: pg.Client,
  statements: readonly (string | StatementBatch)[],
): Promise<unknown>[] => {
  const { stream } = client.connection;
  stream.cork();
  try {
    return statements.flatMap((statement) => sendOne(client, statement));
  } finally {
    // Also after an error: otherwise nothing of this connection would be sent any more.
    stream.uncork();
  }
};
