// An escrow as the provider's index shows it: whole units and percentages as numbers, times in seconds.

import { anotherAmount } from '../ledger-network/amounts.ts';
import { NATIVE, partsOf } from '../ledger-network/assets.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import type { Contract } from '../ledger-network/store.ts';
import type { Escrow } from './contract/escrow.ts';
import { writeNumber } from './wire-amounts.ts';

export function presentEscrow(
  contract: Contract,
  { ledger, wrong = false }: { ledger: LedgerNetwork; wrong?: boolean },
) {
  const escrow = contract.data as Escrow;
  const asset = ledger.assetOf(escrow.token)!;
  const shown = (units: bigint) => writeNumber(wrong && units > 0n ? anotherAmount(units) : units);
  return {
    contractId: contract.address,
    signer: contract.creator,
    type: escrow.type,
    engagementId: escrow.engagementId,
    title: escrow.title,
    description: escrow.description,
    roles: escrow.roles,
    amount: shown(amountOf(escrow)),
    platformFee: escrow.platformFeeBps / 100,
    balance: shown(contract.balances[asset] ?? 0n),
    ...parts(escrow, shown),
    trustline: presentTrustline(asset, escrow.token),
    isActive: true,
    createdAt: stamp(contract.createdAt),
    updatedAt: stamp(contract.changedAt),
  };
}

export const amountOf = (escrow: Escrow): bigint =>
  escrow.type === 'single-release' ? escrow.amount : escrow.milestones.reduce((sum, { amount }) => sum + amount, 0n);

function parts(escrow: Escrow, shown: (units: bigint) => number) {
  if (escrow.type === 'single-release') return { milestones: escrow.milestones, flags: escrow.flags };
  return { milestones: escrow.milestones.map((milestone) => ({ ...milestone, amount: shown(milestone.amount) })) };
}

function presentTrustline(asset: string, token: string) {
  if (asset === NATIVE) return { address: token, name: 'native', symbol: 'XLM' };
  const { code, issuer } = partsOf(asset);
  return { address: issuer, name: code, symbol: code };
}

const stamp = (ms: number) => ({ _seconds: Math.floor(ms / 1_000), _nanoseconds: (ms % 1_000) * 1_000_000 });
