// What one contract received and whom it paid, from every operation that the ledger remembers.

import { parseAmount } from './amounts.ts';
import type { Store } from './store.ts';

type Change = { from?: string; to?: string; amount: string };

export function movesOf(store: Store, contract: string): { received: bigint; paid: Set<string> } {
  let received = 0n;
  const paid = new Set<string>();
  for (const { successful, detail } of store.operations.values()) {
    if (!successful) continue;
    for (const { from, to, amount } of (detail.asset_balance_changes ?? []) as Change[]) {
      if (to === contract) received += parseAmount(amount) ?? 0n;
      if (from === contract && to !== undefined) paid.add(to);
    }
  }
  return { received, paid };
}
