// The handlers of the escrow operations: create, fund, and the two settlements. A dispute's resolution is settled in the same way, by
// commands of its own module.

import type { Command, Submit } from '../../../commit/command.ts';
import type { Wallet } from '../../../ledger/keys/wallet.ts';
import type { FundWallet } from '../../../ledger/treasury/fund-wallet.ts';
import type { EscrowProvider, LedgerAsset } from '../../../providers/ports.ts';
import {
  DONE,
  type FindOrder,
  type OperationHandler,
  type OperationHandlers,
  submitFor,
  waitingFor,
} from '../../operations/operation-context.ts';
import { confirmMilestoneRefund, confirmMilestoneRelease } from '../pay-milestone.ts';
import {
  confirmRefundCommand,
  confirmReleaseCommand,
  type FailInput,
  failMilestoneRefund,
  failMilestoneRelease,
  failRefund,
  failRelease,
} from '../release-and-refund.ts';
import { createEscrow } from './create-escrow.ts';
import type { EscrowCalls } from './escrow-calls.ts';
import { fundEscrow } from './fund-escrow.ts';
import { settleEscrow } from './settle-escrow.ts';

export type EscrowParts = {
  readonly submit: Submit;
  readonly calls: EscrowCalls;
  readonly fundWallet: FundWallet;
  /** Null: no escrow provider is configured. */
  readonly escrow: Pick<EscrowProvider, 'forMarketplace'> | null;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
  findWallet(marketplaceId: string, walletId: string): Promise<Wallet | null>;
  readonly findOrder: FindOrder;
};

type Settlement = {
  readonly confirm: Command<{ readonly orderId: string; readonly operationId: string }, void>;
  readonly fail: Command<FailInput, void>;
};

/** Pays the contract out, then settles the order or the milestone; undoes the request when the payout was certainly refused. */
export const settlementHandler =
  (parts: EscrowParts, { confirm, fail }: Settlement): OperationHandler =>
  async (current) => {
    const orderId = current.view.order.id;
    const operationId = current.operation.id;
    const paid = await settleEscrow(parts, current);
    if (paid.kind === 'unknown') return waitingFor(paid);
    if (paid.kind === 'yes') {
      await submitFor(current, { submit: parts.submit, command: confirm, input: { orderId, operationId } });
      return DONE;
    }
    const { reason } = paid;
    await submitFor(current, {
      submit: parts.submit,
      command: fail,
      input: { orderId, operationId, reason },
    });
    return { kind: 'failed', reason };
  };

export const escrowHandlers = (parts: EscrowParts): Omit<OperationHandlers, 'resolve-dispute'> => ({
  'create-escrow': (current) => createEscrow(parts, current),
  'fund-escrow': (current) => fundEscrow(parts, current),
  release: settlementHandler(parts, { confirm: confirmReleaseCommand, fail: failRelease }),
  refund: settlementHandler(parts, { confirm: confirmRefundCommand, fail: failRefund }),
  'release-milestone': settlementHandler(parts, { confirm: confirmMilestoneRelease, fail: failMilestoneRelease }),
  'refund-milestone': settlementHandler(parts, { confirm: confirmMilestoneRefund, fail: failMilestoneRefund }),
});
