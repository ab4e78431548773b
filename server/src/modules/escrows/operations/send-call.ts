// Sends one call of an escrow contract and says what became of it: it is on the ledger, it was certainly refused, or that
// is not known yet. An envelope whose time ran out is drawn up anew, because then it did certainly not happen.

import type { DeployStep } from '../../../ledger/keys/expectation.ts';
import type { EscrowStep } from '../../../providers/ports.ts';
import {
  busy,
  type EscrowParts,
  type OperationContext,
  type Waiting,
  waiting,
} from '../../operations/operation-context.ts';
import type { Escrow } from '../escrow.ts';
import { isCalled } from '../escrow.ts';
import type { EscrowAction } from '../escrow-payments.ts';

type Asked = {
  readonly signer: 'buyer' | 'seller' | 'platform';
  readonly step: EscrowStep;
  readonly terms?: DeployStep;
  readonly action: EscrowAction;
};

export type SentCall =
  /** `contractId`: as the provider's answer named it; null when it named none, undefined when none was heard. */
  | { readonly kind: 'done'; readonly escrow: Escrow; readonly contractId: string | null | undefined }
  | { readonly kind: 'refused'; readonly reason: string; readonly code: string | null }
  | Waiting;

const ENVELOPES_MAX = 3;

/** Words of the rows themselves: somebody else is at work on the same operation, or has ended it. */
const MEANWHILE = new Set(['CALL_DONE', 'CALL_OPEN', 'OPERATION_OVER']);

const reload = async (parts: EscrowParts, { marketplaceId, view }: OperationContext): Promise<Escrow | null> =>
  (await parts.findOrder(marketplaceId, view.order.id))?.escrow ?? null;

export const sendCall = async (parts: EscrowParts, current: OperationContext, asked: Asked): Promise<SentCall> => {
  const { marketplaceId, view } = current;
  const party = view.escrow[asked.signer];
  const wallet = await parts.findWallet(marketplaceId, party.walletId);
  if (!wallet) return { kind: 'refused', reason: `The wallet of the ${asked.signer} is not kept here.`, code: null };

  for (let envelope = 0; envelope < ENVELOPES_MAX; envelope++) {
    const sent = await parts.calls.send({
      marketplaceId,
      wallet,
      step: asked.step,
      action: asked.action,
      ...(asked.terms ? { terms: asked.terms } : {}),
    });
    if (sent.kind === 'unknown') return waiting(sent.reason);
    if (sent.kind === 'no' && sent.why === 'expired') continue;
    if (sent.kind === 'no' && sent.why === 'rejected') {
      const voided = await parts.calls.consumeSequence({ marketplaceId, wallet });
      if (voided.kind !== 'yes') return waiting(`A refused envelope may still be taken: ${voided.reason}`);
    }
    const escrow = await reload(parts, current);
    const isDone = escrow?.id === view.escrow.id && isCalled(escrow, asked.action);
    if (sent.kind === 'no' && !MEANWHILE.has(sent.code ?? '') && !isDone) {
      return { kind: 'refused', reason: sent.reason, code: sent.code };
    }
    if (!isDone) return busy();
    return { kind: 'done', escrow, contractId: sent.kind === 'yes' ? sent.contractId : undefined };
  }
  return waiting('The ledger took none of the envelopes in time.');
};
