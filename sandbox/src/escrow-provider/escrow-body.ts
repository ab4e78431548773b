// An escrow as a deploy or update request describes it.

import { NATIVE, nameAsset } from '../ledger-network/assets.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import { addressField, amountField, type Fields, fieldsOf, listField, percentField, textField } from './body.ts';
import { type Escrow, type EscrowType, type Flags, unsetFlags } from './contract/escrow.ts';
import { invalid } from './errors.ts';

// The status of a milestone before any work on it.
const FIRST_STATUS = 'pending';

export function readEscrowBody(fields: Fields, { type, ledger }: { type: EscrowType; ledger: LedgerNetwork }): Escrow {
  const roles = fieldsOf(fields.roles, 'roles');
  const common = {
    engagementId: textField(fields, 'engagementId'),
    title: textField(fields, 'title'),
    description: textField(fields, 'description'),
    platformFeeBps: percentField(fields, 'platformFee'),
    token: readTrustline(fieldsOf(fields.trustline, 'trustline'), ledger),
  };
  const people = {
    approver: addressField(roles, 'approver'),
    serviceProvider: addressField(roles, 'serviceProvider'),
    platformAddress: addressField(roles, 'platformAddress'),
    releaseSigner: addressField(roles, 'releaseSigner'),
    disputeResolver: addressField(roles, 'disputeResolver'),
  };
  const milestones = listField(fields, 'milestones').map((entry, index) => fieldsOf(entry, `milestones.${index}`));
  if (type === 'multi-release') {
    if (roles.receiver !== undefined)
      throw invalid('roles.receiver belongs to the milestones of a multi-release escrow');
    if (fields.amount !== undefined) throw invalid('amount belongs to the milestones of a multi-release escrow');
    return { ...common, type, roles: people, milestones: milestones.map(readMultiMilestone) };
  }
  return {
    ...common,
    type,
    amount: amountField(fields),
    roles: { ...people, receiver: addressField(roles, 'receiver') },
    flags: readFlags(fields.flags),
    milestones: milestones.map((milestone) => ({ ...readMilestone(milestone), approved: milestone.approved === true })),
  };
}

const readMilestone = (milestone: Fields) => ({
  description: textField(milestone, 'description'),
  status: milestone.status === undefined ? FIRST_STATUS : textField(milestone, 'status'),
  evidence: milestone.evidence === undefined ? '' : textField(milestone, 'evidence'),
});

function readMultiMilestone(milestone: Fields) {
  const approved = (milestone.flags as Fields | undefined)?.approved === true;
  return {
    ...readMilestone(milestone),
    amount: amountField(milestone),
    receiver: addressField(milestone, 'receiver'),
    flags: { ...readFlags(milestone.flags), approved },
  };
}

function readFlags(value: unknown): Flags {
  if (value === undefined) return unsetFlags();
  const { disputed, released, resolved } = fieldsOf(value, 'flags');
  return { disputed: disputed === true, released: released === true, resolved: resolved === true };
}

// The issuer and the symbol identify the asset; the contract holds the asset's token contract.
function readTrustline(fields: Fields, ledger: LedgerNetwork): string {
  const symbol = textField(fields, 'symbol');
  const address = textField(fields, 'address');
  const tokens = [ledger.tokenOf(NATIVE), ledger.tokenOf(nameAsset('USDC', ledger.issuer))];
  if (tokens.includes(address)) return address;
  if (symbol === 'XLM' && (address === 'native' || address === '')) return tokens[0]!;
  if (symbol === 'USDC' && address === ledger.issuer) return tokens[1]!;
  throw invalid(
    `trustline is not an asset of this network: use USDC with the issuer ${ledger.issuer}, or XLM with native`,
  );
}
