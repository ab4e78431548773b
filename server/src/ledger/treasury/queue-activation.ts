// Queues the activation of a wallet on the ledger. Repeating it while the activation is open or done changes nothing.

import type { Amount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { isOpen, queuePayment } from './treasury-queue.ts';

type QueueInput = {
  readonly walletId: string;
  /** Amount of the native asset: the ledger's minimum, and some for fees. */
  readonly amount: Amount;
};

/** `paid`: the treasury has paid, and the wallet itself has to create its trustline. */
type QueueReply = { readonly state: 'queued' | 'paid' | 'active' };

export const queueActivation = command<QueueInput, QueueReply>({
  name: 'queue-activation',
  needs: ({ walletId }) => ({
    rows: [
      { table: 'wallets', id: walletId },
      { table: 'treasuryPayments', by: 'wallet', value: `${walletId}:activate` },
    ],
  }),
  decide({ walletId, amount }, work) {
    const wallet = work.get('wallets', walletId);
    if (wallet.owner === 'treasury') throw new Error('a treasury cannot activate itself');
    if (wallet.status === 'ACTIVE' || wallet.type === 'EXTERNAL') return { state: 'active' };
    const requested = work.listBy('treasuryPayments', 'wallet', `${walletId}:activate`);
    if (requested.some(isOpen)) return { state: 'queued' };
    if (requested.some(({ state }) => state === 'DONE')) return { state: 'paid' };
    queuePayment(work, { kind: 'activate', wallet, currency: 'XLM', amount, reference: null });
    return { state: 'queued' };
  },
});
