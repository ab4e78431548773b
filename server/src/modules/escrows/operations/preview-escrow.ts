// Previews of the escrow operations: the commands of a request in a row, as if each call of the contract between them had succeeded. The
// calls are chosen by the same functions as the real ones, and none is made.

import { NEW_ACCOUNT, NEW_CONTRACT } from '../../../base/placeholders.ts';
import { ZERO } from '../../../books/money.ts';
import { type Command, command } from '../../../commit/command.ts';
import type { Preview, PreviewCall } from '../../../commit/preview/preview.ts';
import { FIRST_CURSOR, type Wallet } from '../../../ledger/keys/wallet.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OrderView, WithEscrow } from '../../orders/order.ts';
import { liveEscrow, onOrder, viewOf } from '../../orders/order-work.ts';
import { beginEscrow } from '../begin-escrow.ts';
import { confirmEscrowCommand } from '../end-escrow-creation.ts';
import { confirmFundingCommand } from '../end-funding.ts';
import { deployedContract, type EscrowParty, isCalled } from '../escrow.ts';
import {
  beginMilestoneRefund,
  beginMilestoneRelease,
  confirmMilestoneRefund,
  confirmMilestoneRelease,
} from '../pay-milestone.ts';
import { beginRefund, beginRelease, confirmRefundCommand, confirmReleaseCommand } from '../release-and-refund.ts';
import { startFunding } from '../start-funding.ts';
import { type Call, nextCall } from './next-call.ts';
import { amountsOf, goalOf } from './settle-escrow.ts';

type OrderInput = { readonly orderId: string };
type MilestoneInput = OrderInput & { readonly ref: string };

type Parts = {
  custodialOf(marketplaceId: string, userId: string): Promise<Wallet | null>;
  ofPlatform(marketplaceId: string, owner: 'platform'): Promise<Wallet | null>;
  readonly requirePaymentAccount: boolean;
};

/** The platform's wallet is created with the first escrow of a marketplace. */
const NEW_PLATFORM_WALLET: Wallet = {
  id: 'wal_preview',
  owner: 'platform',
  userId: null,
  address: NEW_ACCOUNT,
  type: 'INVISIBLE',
  sealedSecret: '',
  status: 'PENDING',
  isPrimary: true,
  paymentsCursor: FIRST_CURSOR,
  activationRequestedAt: null,
  activatedAt: null,
  sponsoredReserves: 0,
  provedAt: null,
  createdAt: '',
  updatedAt: '',
};

const ACTIVATION: PreviewCall = { system: 'ledger-network', operation: 'activate-wallet' };

const contractCall = (operation: string): PreviewCall => ({ system: 'escrow-provider', operation });

export const readOrder = command<OrderInput, OrderView>({
  name: 'read-order',
  ...onOrder,
  decide: ({ orderId }, work) => viewOf(work, orderId),
});

const read = (preview: Preview, { orderId }: OrderInput): Promise<OrderView> =>
  preview.run({ command: readOrder, input: { orderId } });

/** As the operation waits for wallets that are not active yet. */
const activeParty = async (preview: Preview, wallet: Wallet | null): Promise<EscrowParty | null> => {
  if (!wallet || wallet.sealedSecret === null) return null;
  if (wallet.status !== 'ACTIVE') {
    preview.call(ACTIVATION);
    await preview.assume('wallets', { ...wallet, status: 'ACTIVE' });
  }
  return { walletId: wallet.id, address: wallet.address };
};

const partiesOf = async (preview: Preview, { order, parts }: { order: OrderView; parts: Parts }) => {
  // The command will refuse.
  if (order.order.status !== 'FUNDS_RESERVED' || order.escrow) return { buyer: null, seller: null, platform: null };
  const { marketplaceId } = preview.context;
  const { buyerId, sellerId } = order.order;
  return {
    buyer: await activeParty(preview, await parts.custodialOf(marketplaceId, buyerId)),
    seller: await activeParty(preview, await parts.custodialOf(marketplaceId, sellerId)),
    platform: await activeParty(preview, (await parts.ofPlatform(marketplaceId, 'platform')) ?? NEW_PLATFORM_WALLET),
  };
};

/** All calls until the contract has paid as the operation asks. */
const callsOf = (view: WithEscrow & { readonly operation: Operation }): Call[] => {
  const goal = goalOf(view);
  let contract = { ...view.escrow, amounts: amountsOf(view), surplus: ZERO };
  const calls: Call[] = [];
  for (let next = nextCall(contract, goal); next !== null; next = nextCall(contract, goal)) {
    calls.push(next);
    const { call, milestone, shares } = next;
    const done = { call, milestone, ...(shares ? { sellerUnits: String(shares.seller) } : {}) };
    contract = { ...contract, calls: [...contract.calls, done] };
  }
  return calls;
};

type Settling<Input extends OrderInput> = {
  readonly begin: Command<Input, Operation>;
  readonly confirm: Command<OrderInput & { readonly operationId: string }, void>;
  readonly input: Input;
};

type Finishing = Pick<Settling<OrderInput>, 'confirm'> & { readonly operation: Operation };

/** Carries a begun settlement to its end. */
export const finishSettlement = async (preview: Preview, { confirm, operation }: Finishing): Promise<OrderView> => {
  const { orderId, id: operationId } = operation;
  const view = await read(preview, { orderId });
  for (const { call } of callsOf({ ...view, escrow: liveEscrow(view), operation })) preview.call(contractCall(call));
  await preview.run({ command: confirm, input: { orderId, operationId } });
  return read(preview, { orderId });
};

/** A release, a refund or a resolution, of the order or of one milestone. */
export const previewSettlement = async <Input extends OrderInput>(
  preview: Preview,
  { begin, confirm, input }: Settling<Input>,
): Promise<OrderView> => {
  const operation = await preview.run({ command: begin, input });
  return finishSettlement(preview, { confirm, operation });
};

const previewFunding = async (preview: Preview, input: OrderInput): Promise<OrderView> => {
  await preview.run({ command: startFunding, input });
  preview.call(contractCall('fund'));
  await preview.run({ command: confirmFundingCommand, input });
  return read(preview, input);
};

export const createEscrowPreviews = (parts: Parts) => ({
  async createEscrow(preview: Preview, { orderId }: OrderInput): Promise<OrderView> {
    const parties = await partiesOf(preview, { order: await read(preview, { orderId }), parts });
    const { requirePaymentAccount } = parts;
    await preview.run({ command: beginEscrow, input: { orderId, requirePaymentAccount, ...parties } });
    const escrow = liveEscrow(await read(preview, { orderId }));
    if (!isCalled(escrow, { call: 'deploy', milestone: null })) preview.call(contractCall('deploy'));
    const contractId = deployedContract(escrow) ?? NEW_CONTRACT;
    await preview.run({ command: confirmEscrowCommand, input: { orderId, contractId } });
    return read(preview, { orderId });
  },

  fundEscrow: previewFunding,

  release: (preview: Preview, input: OrderInput & { readonly reason: string | null }): Promise<OrderView> =>
    previewSettlement(preview, { begin: beginRelease, confirm: confirmReleaseCommand, input }),

  refund: (preview: Preview, input: OrderInput & { readonly reason: string }): Promise<OrderView> =>
    previewSettlement(preview, { begin: beginRefund, confirm: confirmRefundCommand, input }),

  releaseMilestone: (
    preview: Preview,
    input: MilestoneInput & { readonly reason: string | null },
  ): Promise<OrderView> =>
    previewSettlement(preview, { begin: beginMilestoneRelease, confirm: confirmMilestoneRelease, input }),

  refundMilestone: (preview: Preview, input: MilestoneInput & { readonly reason: string }): Promise<OrderView> =>
    previewSettlement(preview, { begin: beginMilestoneRefund, confirm: confirmMilestoneRefund, input }),
});

export type EscrowPreviews = ReturnType<typeof createEscrowPreviews>;
