// Asks the treasury to bring a wallet to life on the ledger. Asked again while it waits or when it is done, nothing
// changes.

import type { Amount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { isOpen, queuePayment } from './treasury-queue.ts';

type QueueInput = {
  readonly walletId: string;
  /** Of the native asset: the ledger's minimum, and something for fees. */
  readonly amount: Amount;
};

/** `paid`: the treasury has done its part, and the wallet itself has to trust the asset. */
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
    if (wallet.owner === 'treasury') throw new Error('a treasury cannot bring itself to life');
    if (wallet.status === 'ACTIVE' || wallet.type === 'EXTERNAL') return { state: 'active' };
    const asked = work.listBy('treasuryPayments', 'wallet', `${walletId}:activate`);
    if (asked.some(isOpen)) return { state: 'queued' };
    if (asked.some(({ state }) => state === 'DONE')) return { state: 'paid' };
    queuePayment(work, { kind: 'activate', wallet, currency: 'XLM', amount, reference: null });
    return { state: 'queued' };
  },
});
