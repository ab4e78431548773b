// Sends one call of an escrow contract. Yes: the call is on the ledger. No: it was certainly refused. Unknown: neither is certain
// yet. An envelope that expired is built again, because it can no longer be included in a ledger.

import { type Answer, no, unknown, yes } from '../../../base/answer.ts';
import { type Amount, ZERO } from '../../../books/money.ts';
import type { DeployStep } from '../../../ledger/keys/expectation.ts';
import type { EscrowAction } from '../../../ledger/transactions/escrow-payments.ts';
import type { EscrowStep } from '../../../providers/ports.ts';
import type { OperationContext } from '../../operations/operation-context.ts';
import { type Escrow, isCalled } from '../escrow.ts';
import type { EscrowParts } from './handlers.ts';

type CallRequest = {
  /** The party whose wallet signs. */
  readonly signer: keyof Pick<Escrow, 'buyer' | 'seller' | 'platform'>;
  readonly step: EscrowStep;
  readonly terms?: DeployStep;
  readonly action: EscrowAction;
};

type SentCall = {
  readonly escrow: Escrow;
  /** As the provider's answer named the contract. Null: it named none. Undefined: there was no answer. */
  readonly contractId: string | null | undefined;
};

type Signer = CallRequest['signer'];

const ENVELOPES_MAX = 3;

const reload = async ({ findOrder }: EscrowParts, { marketplaceId, view }: OperationContext): Promise<Escrow | null> =>
  (await findOrder(marketplaceId, view.order.id))?.escrow ?? null;

/** Funds the signer's wallet from the treasury: its network fees, and the amount that it will pay. */
export const fundSigner = (
  parts: EscrowParts,
  { marketplaceId, operation, view }: OperationContext,
  { signer, amount }: { readonly signer: Signer; readonly amount: Amount },
): Promise<Answer<null>> => {
  const { walletId } = view.escrow[signer];
  // A wallet that only pays fees pays them in the native asset, whatever the currency of the order.
  const currency = amount === ZERO ? 'XLM' : view.order.currency;
  return parts.fundWallet({ marketplaceId, walletId, currency, amount, reference: operation.id });
};

export const sendCall = async (
  parts: EscrowParts,
  current: OperationContext,
  request: CallRequest,
): Promise<Answer<SentCall>> => {
  const { marketplaceId, view } = current;
  const { signer, step, action, terms } = request;
  const wallet = await parts.findWallet(marketplaceId, view.escrow[signer].walletId);
  if (!wallet) return no(`The wallet of the ${signer} does not exist.`);

  for (let envelope = 0; envelope < ENVELOPES_MAX; envelope++) {
    const sent = await parts.calls.send({ marketplaceId, wallet, step, action, ...(terms ? { terms } : {}) });
    if (sent.kind === 'unknown') return unknown('unclear', sent.reason);
    if (sent.kind === 'no' && sent.why === 'expired') continue;
    if (sent.kind === 'no' && sent.why === 'rejected') {
      const voided = await parts.calls.consumeSequence({ marketplaceId, wallet });
      if (voided.kind !== 'yes') {
        return unknown('unclear', `A refused envelope may still be accepted: ${voided.reason}`);
      }
    }
    const escrow = await reload(parts, current);
    const isDone = escrow?.id === view.escrow.id && isCalled(escrow, action);
    if (sent.kind === 'no' && sent.why !== 'superseded' && !isDone) return no(sent.reason, { code: sent.code });
    if (!isDone) return unknown('in-progress', 'Another worker holds the operation.');
    return yes({ escrow, contractId: sent.kind === 'yes' ? sent.contractId : undefined });
  }
  return unknown('lagging', 'The ledger accepted none of the envelopes in time.');
};
