// Rows of escrows and operations as their own commands would leave them, for tests of the ledger parts.

import type { Amount } from '../../server/src/books/money.ts';
import { command } from '../../server/src/commit/command.ts';
import type { Escrow, EscrowParty } from '../../server/src/modules/escrows/escrow.ts';
import type { Operation } from '../../server/src/modules/operations/operation.ts';

type Opened = Pick<Operation, 'id' | 'kind' | 'orderId' | 'escrowId' | 'walletId' | 'currency' | 'amount'>;

const ASK = { actor: { type: 'system', id: 'test' }, requestId: 'test' } as const;

/** A running operation. An existing one is unchanged. */
export const openOperation = command<Opened, void>({
  name: 'test-open-operation',
  needs: ({ id }) => ({ rows: [{ table: 'operations', id }] }),
  decide(opened, work) {
    if (work.find('operations', opened.id)) return;
    work.put('operations', {
      ...opened,
      disputeId: null,
      state: 'RUNNING',
      step: null,
      attempts: 0,
      ask: ASK,
      failure: null,
      nextAttemptAt: work.now,
      createdAt: work.now,
      updatedAt: work.now,
    });
    work.audit({ action: 'ESCROW_CREATE_REQUESTED', resourceType: 'Operation', resourceId: opened.id });
  },
});

export const endOperation = command<{ id: string }, void>({
  name: 'test-end-operation',
  needs: ({ id }) => ({ rows: [{ table: 'operations', id }] }),
  decide({ id }, work) {
    work.put('operations', { ...work.get('operations', id), state: 'DONE', updatedAt: work.now });
    work.audit({ action: 'ESCROW_CREATED', resourceType: 'Operation', resourceId: id });
  },
});

type NewEscrow = Pick<Escrow, 'id' | 'orderId' | 'currency' | 'contractType' | 'platformFeeBps'> & {
  readonly amount: Amount;
  readonly buyer: EscrowParty;
  readonly seller: EscrowParty;
  readonly platform: EscrowParty;
};

export const openEscrow = command<NewEscrow, void>({
  name: 'test-open-escrow',
  needs: ({ id }) => ({ rows: [{ table: 'escrows', id }] }),
  decide(escrow, work) {
    work.put('escrows', {
      ...escrow,
      status: 'CREATING',
      providerContractId: null,
      terms: null,
      calls: [],
      transactionId: null,
      setAside: false,
      fundedAt: null,
      releasedAt: null,
      refundedAt: null,
      createdAt: work.now,
      updatedAt: work.now,
    });
    work.audit({ action: 'ESCROW_CREATE_REQUESTED', resourceType: 'Escrow', resourceId: escrow.id });
  },
});

/** Changes the row as the order's own commands would. */
export const changeEscrow = command<{ id: string; change: Partial<Escrow> }, Escrow>({
  name: 'test-change-escrow',
  needs: ({ id }) => ({ rows: [{ table: 'escrows', id }] }),
  decide({ id, change }, work) {
    const escrow = { ...work.get('escrows', id), ...change, updatedAt: work.now };
    work.put('escrows', escrow);
    work.audit({ action: 'ESCROW_CREATED', resourceType: 'Escrow', resourceId: id });
    return escrow;
  },
});
