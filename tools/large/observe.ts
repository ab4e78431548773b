// Gives a filled marketplace what the jobs of a server would have left there: a checkpoint of its books, the sums of its activity and
// of its fees, and the stretches of its audit chain. The chain of the filling does not hold, so a job would never make the checkpoint.

import { addCheckpoint } from '../../server/src/books/checkpoints.ts';
import { formatSums } from '../../server/src/books/posting-sums.ts';
import { proveMarketplace } from '../../server/src/books/proof.ts';
import { noteStretches } from '../../server/src/modules/audit/action-stretches.ts';
import { keepActivitySums } from '../../server/src/modules/reports/activity-sums.ts';
import { keepFeeSums } from '../../server/src/modules/reports/fee-sums.ts';
import { type Connection, openPool } from '../../server/src/postgres/connection.ts';
import { MARKETPLACE } from './fill-records.ts';

/** Proves the filled books from every posting, and throws when they do not hold. */
export const observeFilled = async (connection: Connection): Promise<void> => {
  const pool = openPool(connection, { max: 1, onError: (error) => console.error(error) });
  try {
    const { proof, books } = await proveMarketplace(pool, { marketplaceId: MARKETPLACE, full: true });
    if (!proof.holds) throw new Error(`the filled books do not add up: ${JSON.stringify(proof.checks)}`);
    await addCheckpoint(pool, {
      marketplaceId: MARKETPLACE,
      isFull: true,
      auditSeq: books.end.seq,
      auditHash: books.end.hash,
      postings: books.postings,
      accounts: books.accounts,
      sums: formatSums(books.sums),
      madeAt: proof.checkedAt,
    });
    await keepActivitySums(pool, { marketplaceId: MARKETPLACE });
    await keepFeeSums(pool, { marketplaceId: MARKETPLACE });
    await noteStretches(pool, MARKETPLACE);
  } finally {
    await pool.end();
  }
};
