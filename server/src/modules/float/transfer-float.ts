// Moves float from one marketplace to another in three commands: the giving marketplace writes a row and gives the money away, the
// receiving one takes it once per id, and the giving one records that it arrived. A command never crosses marketplaces, so after a
// crash between two of them a job continues from the row.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount, least, minus, plus, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { accountsOf } from '../../commit/money.ts';
import { table } from '../../commit/tables.ts';
import { changeFloat, coverFloat, FLOAT_CURRENCY, FLOAT_NEEDS, floatOf, floatTooLow } from './float.ts';

export type FloatTransfer = {
  readonly id: string;
  readonly direction: 'given' | 'received';
  /** The other marketplace. */
  readonly counterpart: string;
  readonly amount: Amount;
  /** Only of the giving row: the hash of the Idempotency-Key of the request. */
  readonly requestKey: string | null;
  /** Null while it is in transit. */
  readonly arrivedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    floatTransfers: FloatTransfer;
  }
  interface Lookups {
    floatTransfers: { requestKey: string };
  }
}

export const FLOAT_TRANSFERS = table('floatTransfers', {
  notFound: 'INTERNAL_ERROR',
  sql: 'float_transfers',
  columns: ['id', 'direction', 'counterpart', 'amount', 'requestKey', 'arrivedAt', 'createdAt', 'updatedAt'],
  lookups: {
    requestKey: {
      sql: 't.request_key',
      where: { sql: 't.request_key is not null', holds: (row) => row.requestKey !== null },
      value: (row) => row.requestKey ?? '',
    },
  },
});

export type BeginInput = {
  /** The marketplace that receives the float. */
  readonly to: string;
  readonly amount: Amount;
  /** What the giving marketplace must keep of its own float. */
  readonly keep: Amount;
  readonly requestKey: string | null;
};

const currency = FLOAT_CURRENCY;

const auditTransfer = (
  work: UnitOfWork,
  { action, transfer }: { action: 'FLOAT_GIVEN' | 'FLOAT_RECEIVED'; transfer: FloatTransfer },
): void =>
  work.audit({
    action,
    resourceType: 'PaymentFloat',
    resourceId: transfer.id,
    after: { amount: formatAmount(transfer.amount), currency, counterpart: transfer.counterpart },
  });

/** The same Idempotency-Key continues its transfer, and is refused for any other. */
const sameTransfer = (known: FloatTransfer, { to, amount }: BeginInput): FloatTransfer => {
  if (known.counterpart !== to || known.amount !== amount) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
  return known;
};

/**
 * Gives float away. The operator's own marketplace gives what it does not need for its own payouts. Any other gives back what was
 * allotted to it and is still there: the deposits of its users stay.
 */
export const beginFloatTransfer = command<BeginInput, FloatTransfer>({
  name: 'begin-float-transfer',
  needs: ({ requestKey }) => ({
    rows: [
      ...FLOAT_NEEDS.rows,
      ...(requestKey === null ? [] : [{ table: 'floatTransfers', by: 'requestKey', value: requestKey } as const]),
    ],
    accounts: [...FLOAT_NEEDS.accounts, ...accountsOf('float_given', { currency })],
  }),
  decide(input, work) {
    const { to: counterpart, amount, keep, requestKey } = input;
    const known = requestKey === null ? null : work.findBy('floatTransfers', { by: 'requestKey', value: requestKey });
    if (known) return sameTransfer(known, input);
    const figures = floatOf(work);
    const { held, pendingPayouts, allotted } = figures;
    const own = minus(minus(held, pendingPayouts), keep);
    const isOperator = work.context.marketplaceId === DEFAULT_MARKETPLACE;
    if (amount > (isOperator ? own : least(own, allotted))) {
      throw floatTooLow(figures, { requested: amount, what: isOperator ? 'this allotment' : 'taking this back' });
    }
    const { now } = work;
    const id = work.newId('floatTransfer');
    const transfer: FloatTransfer = {
      id,
      direction: 'given',
      counterpart,
      amount,
      requestKey,
      arrivedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    coverFloat(work, { currency, amount, reference: id, providerAccount: null });
    work.move('float_given', { currency, amount, reference: id });
    work.put('floatTransfers', transfer);
    if (!isOperator) changeFloat(work, { allotted: minus(allotted, amount) });
    auditTransfer(work, { action: 'FLOAT_GIVEN', transfer });
    return transfer;
  },
});

type ReceiveInput = Pick<FloatTransfer, 'id' | 'amount'> & { readonly from: string };

/** Takes the float of a transfer, once per id. */
export const receiveFloatTransfer = command<ReceiveInput, FloatTransfer>({
  name: 'receive-float-transfer',
  needs: ({ id }) => ({
    rows: [...FLOAT_NEEDS.rows, { table: 'floatTransfers', id }],
    accounts: [...FLOAT_NEEDS.accounts, ...accountsOf('float_received', { currency })],
  }),
  decide({ id, amount, from: counterpart }, work) {
    const known = work.find('floatTransfers', id);
    if (known) return known;
    const { now } = work;
    const transfer: FloatTransfer = {
      id,
      direction: 'received',
      counterpart,
      amount,
      requestKey: null,
      arrivedAt: now,
      createdAt: now,
      updatedAt: now,
    };
    work.move('float_received', { currency, amount, reference: id });
    work.put('floatTransfers', transfer);
    const { allotted } = floatOf(work);
    const isAllotted = work.context.marketplaceId !== DEFAULT_MARKETPLACE;
    changeFloat(work, { allotted: plus(allotted, isAllotted ? amount : ZERO) });
    auditTransfer(work, { action: 'FLOAT_RECEIVED', transfer });
    return transfer;
  },
});

/** Records that the other marketplace has the float. */
export const endFloatTransfer = command<{ readonly id: string }, FloatTransfer>({
  name: 'end-float-transfer',
  needs: ({ id }) => ({ rows: [{ table: 'floatTransfers', id }] }),
  decide({ id }, work) {
    const transfer = work.get('floatTransfers', id);
    if (transfer.arrivedAt !== null) return transfer;
    const arrived = { ...transfer, arrivedAt: work.now, updatedAt: work.now };
    work.put('floatTransfers', arrived);
    work.audit({
      action: 'FLOAT_ARRIVED',
      resourceType: 'PaymentFloat',
      resourceId: id,
      before: { arrivedAt: null },
      after: { arrivedAt: arrived.arrivedAt },
    });
    return arrived;
  },
});
