// Every write route of the provider: its body, its signer, and the function of the contract that it calls.

import { createHash } from 'node:crypto';
import type { xdr } from '@stellar/stellar-sdk';
import type { Operation } from '../faults-table.ts';
import { anotherAmount } from '../ledger-network/amounts.ts';
import type { Call } from '../ledger-network/invoke.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import {
  addressField,
  amountField,
  contractField,
  distributionsField,
  type Fields,
  fieldsOf,
  indexField,
  textField,
} from './body.ts';
import { CONTRACT_ERRORS } from './contract/errors.ts';
import type { Escrow, EscrowType } from './contract/escrow.ts';
import { DEPLOY_FUNCTIONS, deployArguments, factoryAddress } from './contract/factory.ts';
import { address, i128, optional, text, u32, writeDistributions, writeEscrow } from './contract/values.ts';
import { apiError } from './errors.ts';
import { readEscrowBody } from './escrow-body.ts';

export type Request = { body: Fields; type: EscrowType; ledger: LedgerNetwork; wrong: boolean };
export type Prepared = { signer: string; call: Call };

export type WritePath = {
  method: 'POST' | 'PUT';
  path: string;
  type: EscrowType;
  // The operation that a fault names, if there is one.
  operation: Operation | null;
  prepare(request: Request): Prepared;
};

const SINGLE = '/escrow/single-release';
const MULTI = '/escrow/multi-release';

export const WRITE_PATHS: WritePath[] = [
  ...(['single-release', 'multi-release'] as const).flatMap((type): WritePath[] => [
    { method: 'POST', path: `/deployer/${type}`, type, operation: 'deploy', prepare: deploy },
    { method: 'POST', path: `/escrow/${type}/fund-escrow`, type, operation: 'fund', prepare: fund },
    {
      method: 'POST',
      path: `/escrow/${type}/change-milestone-status`,
      type,
      operation: 'change-status',
      prepare: changeStatus,
    },
    { method: 'POST', path: `/escrow/${type}/approve-milestone`, type, operation: 'approve', prepare: approve },
    { method: 'PUT', path: `/escrow/${type}/update-escrow`, type, operation: null, prepare: update },
  ]),
  { ...post(`${SINGLE}/release-funds`, 'release'), type: 'single-release', prepare: releaseFunds },
  { ...post(`${SINGLE}/dispute-escrow`, 'dispute'), type: 'single-release', prepare: disputeEscrow },
  { ...post(`${SINGLE}/resolve-dispute`, 'resolve'), type: 'single-release', prepare: resolveDispute },
  { ...post(`${MULTI}/release-milestone-funds`, 'release'), type: 'multi-release', prepare: releaseMilestone },
  { ...post(`${MULTI}/dispute-milestone`, 'dispute'), type: 'multi-release', prepare: disputeMilestone },
  { ...post(`${MULTI}/resolve-milestone-dispute`, 'resolve'), type: 'multi-release', prepare: resolveMilestone },
  { ...post(`${MULTI}/withdraw-remaining-funds`, null), type: 'multi-release', prepare: withdrawRemaining },
];

function post(path: string, operation: Operation | null): Pick<WritePath, 'method' | 'path' | 'operation'> {
  return { method: 'POST', path, operation };
}

function deploy({ body, type, ledger, wrong }: Request): Prepared {
  const signer = addressField(body, 'signer');
  const escrow = readEscrowBody(body, { type, ledger });
  const sequence = ledger.account(signer)?.sequence ?? 0n;
  // One deployment has one address: it uses up the signer's sequence number.
  const salt = createHash('sha256').update(`${signer} ${sequence} ${escrow.engagementId}`).digest();
  const args = deployArguments(wrong ? withOtherAmounts(escrow) : escrow, { signer, salt });
  return { signer, call: { contract: factoryAddress(type, ledger.passphrase), fn: DEPLOY_FUNCTIONS[type], args } };
}

function fund({ body, ledger, wrong }: Request): Prepared {
  const contract = contractField(body);
  const signer = addressField(body, 'signer');
  const amount = amountField(body);
  const expected = writeEscrow(escrowAt(ledger, contract));
  const args = [address(signer), expected, i128(wrong ? anotherAmount(amount) : amount)];
  return { signer, call: { contract, fn: 'fund_escrow', args } };
}

function changeStatus({ body }: Request): Prepared {
  const signer = addressField(body, 'serviceProvider');
  const evidence = body.newEvidence === undefined ? null : text(textField(body, 'newEvidence'));
  const status = text(textField(body, 'newStatus'));
  const args = [i128(BigInt(indexField(body))), status, optional(evidence), address(signer)];
  return { signer, call: { contract: contractField(body), fn: 'change_milestone_status', args } };
}

function approve({ body }: Request): Prepared {
  const signer = addressField(body, 'approver');
  const args = [i128(BigInt(indexField(body))), address(signer)];
  return { signer, call: { contract: contractField(body), fn: 'approve_milestone', args } };
}

function update({ body, type, ledger }: Request): Prepared {
  const signer = addressField(body, 'signer');
  const next = readEscrowBody(fieldsOf(body.escrow, 'escrow'), { type, ledger });
  const args = [address(signer), writeEscrow(next)];
  return { signer, call: { contract: contractField(body), fn: 'update_escrow', args } };
}

function releaseFunds({ body }: Request): Prepared {
  const signer = addressField(body, 'releaseSigner');
  return { signer, call: { contract: contractField(body), fn: 'release_funds', args: [address(signer)] } };
}

function releaseMilestone({ body }: Request): Prepared {
  const signer = addressField(body, 'releaseSigner');
  const args = [address(signer), u32(indexField(body))];
  return { signer, call: { contract: contractField(body), fn: 'release_milestone_funds', args } };
}

function disputeEscrow({ body }: Request): Prepared {
  const signer = addressField(body, 'signer');
  return { signer, call: { contract: contractField(body), fn: 'dispute_escrow', args: [address(signer)] } };
}

function disputeMilestone({ body }: Request): Prepared {
  const signer = addressField(body, 'signer');
  const args = [i128(BigInt(indexField(body))), address(signer)];
  return { signer, call: { contract: contractField(body), fn: 'dispute_milestone', args } };
}

function resolveDispute(request: Request): Prepared {
  return byResolver(request, { fn: 'resolve_dispute', middle: [] });
}

function resolveMilestone(request: Request): Prepared {
  return byResolver(request, { fn: 'resolve_milestone_dispute', middle: [u32(indexField(request.body))] });
}

function withdrawRemaining(request: Request): Prepared {
  return byResolver(request, { fn: 'withdraw_remaining_funds', middle: [] });
}

function byResolver({ body, wrong }: Request, { fn, middle }: { fn: string; middle: xdr.ScVal[] }): Prepared {
  const signer = addressField(body, 'disputeResolver');
  const parts = distributionsField(body);
  const shown = wrong ? parts.map((part) => ({ ...part, amount: anotherAmount(part.amount) })) : parts;
  return {
    signer,
    call: { contract: contractField(body), fn, args: [address(signer), ...middle, writeDistributions(shown)] },
  };
}

function escrowAt(ledger: LedgerNetwork, contractId: string): Escrow {
  const contract = ledger.contract(contractId);
  if (contract?.program !== 'escrow') throw apiError(500, CONTRACT_ERRORS.NotFound);
  return contract.data as Escrow;
}

function withOtherAmounts(escrow: Escrow): Escrow {
  if (escrow.type === 'single-release') return { ...escrow, amount: anotherAmount(escrow.amount) };
  const milestones = escrow.milestones.map((milestone) => ({ ...milestone, amount: anotherAmount(milestone.amount) }));
  return { ...escrow, milestones };
}
