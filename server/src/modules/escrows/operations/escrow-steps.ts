// An order's escrow in the terms of the escrow provider: the deployment, and the step of each call.

import { type Amount, ZERO } from '../../../books/money.ts';
import type { DeployStep } from '../../../ledger/keys/check-transaction.ts';
import { assetOf } from '../../../ledger/keys/wallet.ts';
import type { EscrowAction } from '../../../ledger/transactions/contract-moves.ts';
import type { EscrowStep, LedgerAsset } from '../../../providers/ports.ts';
import type { Operation } from '../../operations/operation.ts';
import type { WithEscrow } from '../../orders/order.ts';
import type { CallName, Escrow } from '../escrow.ts';
import type { Call } from './next-call.ts';

/** The status of a finished milestone in the contract. */
const FINISHED = 'completed';

const DESCRIPTION = 'Held until the order is settled.';

/** A funding identifies the escrow by this step too, so it must contain only values that never change. */
export const deployStep = ({ order, milestones, escrow }: WithEscrow, usdc: LedgerAsset): DeployStep => {
  const { buyer, seller, platform, platformFeeBps, amount } = escrow;
  const title = order.title === '' ? `Order ${order.id}` : order.title;
  const common = {
    kind: 'deploy',
    signer: buyer.address,
    engagementId: order.id,
    title,
    description: order.description ?? DESCRIPTION,
    roles: {
      approver: buyer.address,
      serviceProvider: seller.address,
      platform: platform.address,
      releaseSigner: buyer.address,
      disputeResolver: platform.address,
    },
    platformFeeBps,
    asset: assetOf(order.currency) === 'XLM' ? { code: 'XLM', issuer: null } : usdc,
  } as const;
  if (escrow.contractType === 'multi-release') {
    const parts = milestones.map((milestone) => ({
      description: milestone.title,
      amount: milestone.amount,
      receiver: seller.address,
    }));
    return { ...common, type: 'multi-release', milestones: parts };
  }
  // A contract without any milestone cannot be released, so an order without one gets one.
  const work =
    milestones.length > 0 ? milestones.map(({ title: description }) => ({ description })) : [{ description: title }];
  return { ...common, type: 'single-release', receiver: seller.address, amount, milestones: work };
};

const sharesOf = ({ seller, buyer, platform }: Escrow, shares: NonNullable<Call['shares']>) =>
  [
    { address: seller.address, amount: shares.seller },
    { address: buyer.address, amount: shares.buyer },
    { address: platform.address, amount: shares.platform ?? ZERO },
  ].filter(({ amount }) => amount > 0n);

/** The provider's step for a call. */
export const stepOf = (escrow: Escrow, { call, milestone, signer, shares }: Call): EscrowStep => {
  const at = { contractId: escrow.providerContractId ?? '', signer: escrow[signer].address };
  const type = escrow.contractType;
  if (call === 'change-status') return { ...at, type, kind: call, milestone: milestone ?? 0, status: FINISHED };
  if (call === 'approve') return { ...at, type, kind: call, milestone: milestone ?? 0 };
  const parts = shares ? sharesOf(escrow, shares) : [];
  if (call === 'resolve' && parts.length === 0) throw new Error('a resolution says who gets what');
  if (call === 'withdraw-remaining') return { ...at, type: 'multi-release', kind: call, shares: parts };
  if (type === 'single-release') {
    return call === 'resolve' ? { ...at, type, kind: call, shares: parts } : { ...at, type, kind: call };
  }
  const each = { ...at, type, milestone: milestone ?? 0 };
  return call === 'resolve' ? { ...each, kind: call, shares: parts } : { ...each, kind: call };
};

type CallToRecord = {
  readonly escrow: Escrow;
  readonly operation: Operation;
  readonly call: {
    readonly call: CallName;
    readonly milestone: number | null;
    readonly shares?: Call['shares'];
    /** Of a funding: what it pays, and its number when it is not the first one. */
    readonly amount?: Amount;
    readonly part?: number;
  };
};

const unitsOf = ({ seller, buyer, platform }: NonNullable<Call['shares']>) => ({
  sellerUnits: String(seller),
  buyerUnits: String(buyer),
  ...(platform === undefined ? {} : { platformUnits: String(platform) }),
});

/** The action that is recorded before the call is sent. */
export const actionOf = ({ escrow, operation, call: of }: CallToRecord): EscrowAction => ({
  type: 'escrow',
  operationId: operation.id,
  orderId: escrow.orderId,
  escrowId: escrow.id,
  call: of.call,
  milestone: of.milestone,
  contractId: escrow.providerContractId,
  currency: escrow.currency,
  addresses: [escrow.buyer.address, escrow.seller.address, escrow.platform.address],
  units: of.amount === undefined ? null : String(of.amount),
  ...(of.part === undefined ? {} : { part: of.part }),
  ...(of.shares ? unitsOf(of.shares) : {}),
});
