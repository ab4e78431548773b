// Claims the creation of an order's escrow: the order goes to ESCROW_CREATING and the operation's row is written. A contract that an
// earlier attempt deployed and left empty is used again.

import { DomainError } from '../../base/domain-error.ts';
import { formatAmount, sumOf } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Operation } from '../operations/operation.ts';
import { beginOperation } from '../operations/operation-work.ts';
import type { OrderView } from '../orders/order.ts';
import { orderNeeds, orderNeedsNext, putOrder, viewOf } from '../orders/order-work.ts';
import { requestedRow } from '../orders/requests.ts';
import { contractTypeFor, deployedContract, type Escrow, type EscrowParty, isCalled } from './escrow.ts';

type BeginEscrowInput = {
  readonly orderId: string;
  /** The wallets of the parties; null when a party has no active wallet. */
  readonly buyer: EscrowParty | null;
  readonly seller: EscrowParty | null;
  readonly platform: EscrowParty | null;
  readonly requirePaymentAccount: boolean;
};

const inactive = (who: string, why: string): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `The ${who} has no active payment account: ${why}.`,
    details: { party: who },
  });

/** The user is active and has an active custodial wallet, and a linked payment account where the settings require one. */
const requireActive = (
  work: UnitOfWork,
  { userId, party, who, input }: { userId: string; party: EscrowParty | null; who: string; input: BeginEscrowInput },
): EscrowParty => {
  const user = work.get('users', userId);
  if (user.status !== 'ACTIVE') throw inactive(who, `the user is ${user.status}`);
  const wallet = party === null ? undefined : work.find('wallets', party.walletId);
  if (!party || wallet?.userId !== userId || wallet.status !== 'ACTIVE' || wallet.sealedSecret === null) {
    throw inactive(who, 'the custodial wallet is not active on the ledger yet');
  }
  if (input.requirePaymentAccount && user.paymentAccountUserId === null) {
    throw inactive(who, 'no account at the payment provider is linked');
  }
  return party;
};

const requirePlatform = (work: UnitOfWork, party: EscrowParty | null): EscrowParty => {
  const wallet = party === null ? undefined : work.find('wallets', party.walletId);
  if (party && wallet?.status === 'ACTIVE') return party;
  throw new DomainError('INTERNAL_ERROR', {
    message: "The platform's wallet is not active on the ledger yet. Try again.",
  });
};

const requireSum = ({ order, milestones }: OrderView): void => {
  const total = sumOf(milestones.map(({ amount }) => amount));
  if (milestones.length === 0 || total === order.amount) return;
  throw new DomainError('INTERNAL_ERROR', {
    message: `The milestones sum to ${formatAmount(total)} and the order is ${formatAmount(order.amount)}.`,
    details: { amount: formatAmount(order.amount), milestonesTotal: formatAmount(total) },
  });
};

const isSame = (a: EscrowParty, b: EscrowParty): boolean => a.address === b.address;

/** A contract that was funded and has paid back takes no second funding. */
const isUnused = ({ calls }: Escrow): boolean => calls.every(({ call }) => call === 'deploy');

/** The newest contract that is deployed for the same parties and was never funded. */
const reusable = (work: UnitOfWork, fresh: Escrow): Escrow | undefined =>
  work
    .listBy('escrows', { by: 'order', value: fresh.orderId })
    .filter((each) => each.setAside && isUnused(each) && isCalled(each, { call: 'deploy', milestone: null }))
    .filter((each) => isSame(each.buyer, fresh.buyer) && isSame(each.seller, fresh.seller))
    .filter((each) => isSame(each.platform, fresh.platform))
    .sort((a, b) => (a.id < b.id ? 1 : -1))[0];

type Parties = Pick<Escrow, 'buyer' | 'seller' | 'platform'>;

type NewEscrow = Pick<OrderView, 'order' | 'milestones'> & { readonly parties: Parties };

const makeEscrow = (work: UnitOfWork, { order, milestones, parties }: NewEscrow): Escrow => {
  const fresh: Escrow = {
    id: work.newId('escrow'),
    orderId: order.id,
    status: 'CREATING',
    amount: order.amount,
    currency: order.currency,
    contractType: contractTypeFor(milestones.length),
    providerContractId: null,
    ...parties,
    platformFeeBps: order.platformFeeBps,
    terms: milestones.length > 0 ? { milestones_required: true } : null,
    calls: [],
    transactionId: null,
    setAside: false,
    fundedAt: null,
    releasedAt: null,
    refundedAt: null,
    createdAt: work.now,
    updatedAt: work.now,
  };
  const earlier = reusable(work, fresh);
  // The contract of our own deployment, whatever a webhook once named.
  const escrow = earlier ? { ...fresh, providerContractId: deployedContract(earlier), calls: earlier.calls } : fresh;
  work.put('escrows', escrow);
  return escrow;
};

export const beginEscrow = command<BeginEscrowInput, Operation>({
  name: 'begin-escrow',
  needs: ({ orderId, ...parties }) => ({
    rows: [
      ...orderNeeds(orderId).rows,
      ...[parties.buyer, parties.seller, parties.platform].flatMap((party) =>
        party === null ? [] : [{ table: 'wallets', id: party.walletId } as const],
      ),
    ],
  }),
  needsNext: ({ orderId }, work) => orderNeedsNext(orderId, work),
  decide(input, work) {
    const { orderId } = input;
    const view = viewOf(work, orderId);
    const { to, emits } = requestedRow(work, { view, on: 'create_escrow' });
    const { buyerId, sellerId, status } = view.order;
    const buyer = requireActive(work, { userId: buyerId, party: input.buyer, who: 'buyer', input });
    const seller = requireActive(work, { userId: sellerId, party: input.seller, who: 'seller', input });
    requireSum(view);
    const platform = requirePlatform(work, input.platform);
    const escrow = makeEscrow(work, { ...view, parties: { buyer, seller, platform } });
    const operation = beginOperation(work, { order: view.order, kind: 'create-escrow', escrowId: escrow.id });
    putOrder(work, { ...view.order, status: to, escrowId: escrow.id, operationId: operation.id });
    const amount = formatAmount(escrow.amount);
    work.emit({
      type: emits[0],
      aggregateId: orderId,
      userId: buyerId,
      payload: { orderId, escrowId: escrow.id, amount },
    });
    work.audit({
      action: 'ESCROW_CREATE_REQUESTED',
      resourceType: 'Order',
      resourceId: orderId,
      userId: buyerId,
      before: { status },
      after: { status: to, escrowId: escrow.id, operationId: operation.id, contractType: escrow.contractType },
    });
    return operation;
  },
});
