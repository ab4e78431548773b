// An outsider pays into an escrow contract: a contract accepts payments from every account. The amount is a tenth of what the
// contract holds, so that it is never the amount of an order.

import { formatAmount } from '../ledger-network/amounts.ts';
import { NATIVE } from '../ledger-network/assets.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import type { Escrow } from './contract/escrow.ts';

export function paySurplus(ledger: LedgerNetwork, contractId: string): void {
  const contract = ledger.contract(contractId);
  if (contract?.program !== 'escrow') return;
  const asset = ledger.assetOf((contract.data as Escrow).token)!;
  const units = (contract.balances[asset] ?? 0n) / 10n;
  if (units === 0n) return;
  ledger.faucet({ address: contractId, asset: asset === NATIVE ? 'XLM' : 'USDC', amount: formatAmount(units) });
}
