// Moves float from one marketplace to another in three commands: the giving marketplace writes a row and gives the money away, the
// receiving one takes it once per id, and the giving one records that it arrived. A command never crosses marketplaces, so after a
// crash between two of them a job continues from the row.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { type Amount, formatAmount, halfOf, least, minus, negated, ZERO } from '../../books/money.ts';
import { command, type Needs, type UnitOfWork } from '../../commit/command.ts';
import { accountsOf } from '../../commit/money.ts';
import { table } from '../../commit/tables.ts';
import { CREDENTIALS_NEED, findCurrent } from '../provider-credentials/provider-credentials.ts';
import { changeAllotted, coverFloat, FLOAT_CURRENCY, FLOAT_NEEDS, floatOf, floatTooLow, floatUnread } from './float.ts';

export type FloatTransfer = {
  readonly id: string;
  readonly direction: 'given' | 'received';
  /** The other marketplace, or the payment provider when the operator added or took out money there. */
  readonly counterpart: string;
  readonly amount: Amount;
  /** Only of the row that the request made: the hash of its Idempotency-Key. */
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

export type RequestKey = {
  /** Hash of the caller and its Idempotency-Key. */
  readonly hash: string;
  /** After this time the same key is a new request. Null: never. */
  readonly retentionMs: number | null;
};

type Requested = Pick<FloatTransfer, 'direction' | 'counterpart'> & {
  /** Null: a repeat may name another amount. */
  readonly amount: Amount | null;
  readonly requestKey: RequestKey | null;
};

export type BeginInput = {
  /** The marketplace that receives the float. */
  readonly to: string;
  readonly amount: Amount;
  /** Play money of the sandbox: at most half of what the operator has, so that every new marketplace gets some. */
  readonly isPlay: boolean;
  /** False: what the provider held before the first payment is not in the books yet. */
  readonly isFloatOpened: boolean;
  readonly requestKey: RequestKey | null;
};

const currency = FLOAT_CURRENCY;

export const auditTransfer = (
  work: UnitOfWork,
  { action, transfer }: { action: 'FLOAT_GIVEN' | 'FLOAT_RECEIVED'; transfer: FloatTransfer },
): void =>
  work.audit({
    action,
    resourceType: 'PaymentFloat',
    resourceId: transfer.id,
    after: { amount: formatAmount(transfer.amount), currency, counterpart: transfer.counterpart },
  });

export const requestNeeds = (requestKey: RequestKey | null): NonNullable<Needs['rows']> =>
  requestKey === null ? [] : [{ table: 'floatTransfers', by: 'requestKey', value: requestKey.hash }];

/**
 * The transfer of an earlier request with the same Idempotency-Key, which is refused for any other request. A transfer that is older
 * than the retention gives its key up: the key counts as new.
 */
export const findRepeated = (work: UnitOfWork, { requestKey, ...asked }: Requested): FloatTransfer | null => {
  const known = requestKey && work.findBy('floatTransfers', { by: 'requestKey', value: requestKey.hash });
  if (!known) return null;
  const { retentionMs } = requestKey;
  const isKept = retentionMs === null || work.now < formatInstant(parseInstant(known.createdAt)! + retentionMs * 1_000);
  if (!isKept) {
    work.put('floatTransfers', { ...known, requestKey: null });
    return null;
  }
  const isSame =
    known.counterpart === asked.counterpart &&
    known.direction === asked.direction &&
    (asked.amount === null || known.amount === asked.amount);
  if (!isSame) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
  return known;
};

/** What is given of the requested amount. */
const givenOf = (work: UnitOfWork, { amount, isPlay, isFloatOpened }: BeginInput): Amount => {
  const figures = floatOf(work);
  const { held, pendingPayouts, allotted } = figures;
  const free = minus(held, pendingPayouts);
  // New payouts of a marketplace with an own account never use its float at the shared account.
  const most = findCurrent(work) ? free : least(free, allotted);
  const isOperator = work.context.marketplaceId === DEFAULT_MARKETPLACE;
  const given = isPlay ? least(amount, halfOf(most)) : amount;
  if (given > ZERO && given <= most) return given;
  if (isOperator && !isFloatOpened) throw floatUnread();
  throw floatTooLow(figures, { requested: amount, what: isOperator ? 'this allotment' : 'taking this back' });
};

/**
 * Gives float away: the operator's part, as far as open payouts do not need it. The deposits of users stay, unless the marketplace has
 * got an own account at the provider and can no longer use them here.
 */
export const beginFloatTransfer = command<BeginInput, FloatTransfer>({
  name: 'begin-float-transfer',
  needs: ({ requestKey }) => ({
    rows: [...FLOAT_NEEDS.rows, CREDENTIALS_NEED, ...requestNeeds(requestKey)],
    accounts: [...FLOAT_NEEDS.accounts, ...accountsOf('float_given', { currency })],
  }),
  decide(input, work) {
    const { to: counterpart, isPlay, requestKey } = input;
    const asked = { direction: 'given', counterpart, amount: isPlay ? null : input.amount, requestKey } as const;
    const known = findRepeated(work, asked);
    if (known) return known;
    const amount = givenOf(work, input);
    const { now } = work;
    const id = work.newId('floatTransfer');
    const transfer: FloatTransfer = {
      id,
      direction: 'given',
      counterpart,
      amount,
      requestKey: requestKey?.hash ?? null,
      arrivedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    coverFloat(work, { currency, amount, reference: id, providerAccount: null });
    work.move('float_given', { currency, amount, reference: id });
    work.put('floatTransfers', transfer);
    changeAllotted(work, negated(amount));
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
    changeAllotted(work, amount);
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
