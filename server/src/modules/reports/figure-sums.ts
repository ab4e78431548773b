// Adds up amounts that leave an account to the figures of the activity report.

import type { FigureRow } from './activity-records.ts';

/** One row for each figure of an hour or a day. */
export const createSums = () => {
  const rows = new Map<string, FigureRow>();
  return {
    add(row: Pick<FigureRow, 'at' | 'currency' | 'figure'>, amount: bigint): void {
      const key = `${row.at} ${row.currency} ${row.figure}`;
      const before = rows.get(key);
      const units = String(BigInt(before?.units ?? '0') - amount);
      rows.set(key, { ...row, bucket: 0, count: (before?.count ?? 0) + 1, units });
    },
    rows: (): FigureRow[] => [...rows.values()],
  };
};
