// The escrow provider's twin.

import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import type { EscrowConfig } from '../sandbox-config.ts';
import type { Twin, TwinTools } from '../sandbox-twin.ts';

export function escrowProvider(_tools: TwinTools<EscrowConfig> & { ledger: LedgerNetwork }): Twin {
  return { begin() {}, describe: () => ({}) };
}
