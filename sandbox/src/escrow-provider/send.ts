// Submits a signed transaction through the provider. The call in its envelope decides which armed fault takes effect and what the
// answer contains: the contract and the escrow only after a deployment or an update.

import { scValToNative } from '@stellar/stellar-sdk';
import type { Fault, Faults } from '../faults.ts';
import { type FaultName, type Operation, SUBMISSION_FAULTS, TRANSFER_FAULTS } from '../faults-table.ts';
import { anotherAmount } from '../ledger-network/amounts.ts';
import { readEnvelope } from '../ledger-network/envelope.ts';
import { type Call, readCall } from '../ledger-network/invoke.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import type { Outcome } from '../ledger-network/submit.ts';
import type { Escrow } from './contract/escrow.ts';
import { DEPLOY_FUNCTIONS, escrowAddress } from './contract/factory.ts';
import { apiError } from './errors.ts';
import { presentEscrow } from './present-escrow.ts';
import { paySurplus } from './surplus.ts';

// The subject of an envelope.
export type Submission = {
  operation: Operation | null;
  contractId: string | null;
  ids: string[];
  returnsEscrow: boolean;
};

const OPERATION_OF: Record<string, Operation> = {
  [DEPLOY_FUNCTIONS['single-release']]: 'deploy',
  [DEPLOY_FUNCTIONS['multi-release']]: 'deploy',
  fund_escrow: 'fund',
  change_milestone_status: 'change-status',
  approve_milestone: 'approve',
  release_funds: 'release',
  release_milestone_funds: 'release',
  dispute_escrow: 'dispute',
  dispute_milestone: 'dispute',
  resolve_dispute: 'resolve',
  resolve_milestone_dispute: 'resolve',
};

export function readSubmission(text: string, ledger: LedgerNetwork): Submission {
  const { call, hash } = callOf(text, ledger);
  if (call === null) return { operation: null, contractId: null, ids: [hash], returnsEscrow: false };
  const operation = OPERATION_OF[call.fn] ?? null;
  const deployed = operation === 'deploy' ? deployment(call, ledger) : null;
  const contractId = deployed?.contractId ?? call.contract;
  const escrow = ledger.contract(contractId)?.data as Escrow | null | undefined;
  const engagementId = deployed?.engagementId ?? escrow?.engagementId;
  const ids = [hash, contractId, ...(engagementId === undefined ? [] : [engagementId])];
  return { operation, contractId, ids, returnsEscrow: operation === 'deploy' || call.fn === 'update_escrow' };
}

// The faults of a submission besides those of every call.
const OWN_FAULTS: Partial<Record<Operation, readonly FaultName[]>> = {
  release: ['wrong-amount'],
  fund: TRANSFER_FAULTS,
};

export function strikeSubmission(faults: Faults, { operation, ids }: Submission): Fault | null {
  const own = faults.strike({ operation: 'send-transaction', ids });
  if (own !== null || operation === null) return own;
  const of: FaultName[] = [...SUBMISSION_FAULTS, ...(OWN_FAULTS[operation] ?? [])];
  return faults.strike({ operation, ids, of });
}

type Sending = { ledger: LedgerNetwork; text: string; submission: Submission; fault: Fault | null };

export function send({ ledger, text, submission, fault }: Sending) {
  if (fault?.fault === 'http-200-failed') {
    return { status: 'FAILED', message: 'The transaction could not be sent to the network' };
  }
  const wrong = fault?.fault === 'wrong-amount';
  const outcome = ledger.submit(text, wrong || fault?.fault === 'short' ? { alter: anotherAmount } : {});
  requireSuccess(outcome);
  if (fault?.fault === 'surplus' && submission.contractId !== null) paySurplus(ledger, submission.contractId);
  const done = { status: 'SUCCESS', message: 'The transaction has been successfully sent to the Stellar network.' };
  const contract = submission.contractId === null ? undefined : ledger.contract(submission.contractId);
  if (!submission.returnsEscrow || contract === undefined || fault?.fault === 'no-contract-id') return done;
  return { ...done, contractId: contract.address, escrow: presentEscrow(contract, { ledger, wrong }) };
}

function requireSuccess(outcome: Outcome): void {
  if (outcome.kind === 'malformed') throw apiError(400, 'signedXdr is not a signed transaction of this network');
  if (outcome.kind === 'waiting') throw apiError(504, 'The transaction was not included in a ledger in time');
  if (outcome.kind === 'recorded' && outcome.transaction.successful) return;
  const { codes, reason } = outcome.kind === 'recorded' ? outcome.transaction : { codes: outcome.codes, reason: null };
  if (reason !== null) throw apiError(500, reason);
  throw apiError(400, `The transaction failed: ${[codes.transaction, ...(codes.operations ?? [])].join(', ')}`);
}

function callOf(text: string, { passphrase }: LedgerNetwork): { call: Call | null; hash: string } {
  try {
    const { operations, hash } = readEnvelope({ text, passphrase });
    const body = operations[0]?.body;
    const known = { hash: Buffer.from(hash).toString('hex') };
    if (body?.type !== 'invokeHostFunction') return { ...known, call: null };
    const { hostFunction } = body.invokeHostFunctionOp;
    if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return { ...known, call: null };
    return { ...known, call: readCall(hostFunction.invokeContract) };
  } catch {
    return { call: null, hash: '' };
  }
}

function deployment({ contract, args }: Call, { passphrase }: LedgerNetwork) {
  try {
    const [, , salt, , [escrow]] = args.map((argument) => scValToNative(argument));
    return { contractId: escrowAddress({ factory: contract, salt, passphrase }), engagementId: escrow.engagement_id };
  } catch {
    return null;
  }
}
