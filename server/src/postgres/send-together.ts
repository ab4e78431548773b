// Sends several statements of a pipelined connection in one write to its socket. The driver writes each statement on its own, and every
// write wakes the backend: a commit of ten statements cost ten system calls.

import type pg from 'pg';

export const sendTogether = (
  client: pg.Client,
  statements: readonly (string | pg.QueryConfig)[],
): Promise<pg.QueryResult>[] => {
  const { stream } = client.connection;
  stream.cork();
  try {
    return statements.map((statement) => client.query(statement as pg.QueryConfig));
  } finally {
    // Also after an error: otherwise nothing of this connection would be sent any more.
    stream.uncork();
  }
};
