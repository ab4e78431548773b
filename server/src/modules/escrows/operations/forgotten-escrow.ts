// Begins the escrow of an order again whose contract is on the ledger, although the database has forgotten that it was requested: it is
// older than the ledger. The contract is then adopted into the new row, and no second one is deployed and funded.

import { isDomainError } from '../../../base/domain-error.ts';
import { type Context, runCommand, type Submit } from '../../../commit/command.ts';
import type { BeginForgottenEscrow } from '../../../ledger/adoption/match-transaction.ts';
import type { Wallet } from '../../../ledger/keys/wallet.ts';
import type { OrderView } from '../../orders/order.ts';
import { beginEscrow } from '../begin-escrow.ts';
import type { EscrowParty } from '../escrow.ts';

type Options = {
  readonly submit: Submit;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
  custodialOf(marketplaceId: string, userId: string): Promise<Wallet | null>;
  ofPlatform(marketplaceId: string, owner: 'platform'): Promise<Wallet | null>;
};

const partyOf = (wallet: Wallet | null): EscrowParty | null =>
  wallet === null ? null : { walletId: wallet.id, address: wallet.address };

export const createForgottenEscrows = ({
  submit,
  findOrder,
  custodialOf,
  ofPlatform,
}: Options): BeginForgottenEscrow => {
  return async ({ marketplaceId, orderId }) => {
    const view = await findOrder(marketplaceId, orderId);
    if (view?.order.status !== 'FUNDS_RESERVED' || view.escrow) return false;
    const { buyerId, sellerId } = view.order;
    const context: Context = { marketplaceId, actor: { type: 'system', id: 'adoption' }, requestId: orderId };
    const input = {
      orderId,
      buyer: partyOf(await custodialOf(marketplaceId, buyerId)),
      seller: partyOf(await custodialOf(marketplaceId, sellerId)),
      platform: partyOf(await ofPlatform(marketplaceId, 'platform')),
      // The contract exists, whatever was required since.
      requirePaymentAccount: false,
    };
    try {
      await runCommand(submit, { command: beginEscrow, input, context });
      return true;
    } catch (error) {
      if (isDomainError(error)) return false;
      throw error;
    }
  };
};
