// Books the difference between the ledger and the books at a user's address. A shortfall is the user's loss as far as money is
// available, and the operator's loss for the rest. It decides only on the books that the ledger was compared with.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { adjustments, type Balance, walletHolding } from '../../books/accounts.ts';
import { type Amount, formatAmount, formatExact, least, minus, negated, plus, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, availableChange, type BalanceKey, balanceNeeds, balanceOf } from '../../commit/money.ts';
import { keepSyncGain, syncGainNeeds } from '../../ledger/deposits/kept-gain.ts';
import { assetOf } from '../../ledger/keys/wallet.ts';
import { held } from '../../ledger/transactions/wallet-payment.ts';

/** The books' amount at an address, in one currency, when the ledger was read. */
type HoldingSeen = { readonly currency: Currency; readonly amount: Amount; readonly touchedAt: string | null };

/** The ledger's amount at an address in one asset, and the books' amounts that it was compared with. */
export type LedgerObservation = {
  readonly walletId: string;
  /** The ledger that the amount is of. */
  readonly ledger: number;
  readonly address: string;
  readonly actual: Amount;
  /** One for each currency that settles in the asset. */
  readonly holdings: readonly HoldingSeen[];
};

/** Without an observation there is nothing on the ledger to compare with. */
type SyncInput = BalanceKey & { readonly observation: LedgerObservation | null };

type SyncReply = {
  readonly previous: Balance;
  readonly current: Balance;
  /** The ledger balance minus the balance in the books. */
  readonly difference: Amount;
};

/** The requested currency first: a loss is taken from it before the other currencies of the same asset. */
const settlingWith = (currency: Currency): Currency[] => [
  currency,
  ...CURRENCIES.filter((other) => other !== currency && assetOf(other) === assetOf(currency)),
];

/** Refuses when money moved at the address since the ledger was read. */
export const expectUnmoved = (work: UnitOfWork, { address, holdings }: LedgerObservation): void => {
  const moved = holdings.some(
    ({ currency, amount, touchedAt }) =>
      held(work, { address, currency }) !== amount || work.touchedAt(walletHolding(address, currency)) !== touchedAt,
  );
  if (!moved) return;
  const message = 'Money moved at this address during the comparison with the ledger. Nothing was changed; try again.';
  throw new DomainError('SERVICE_UNAVAILABLE', { message, details: { retryAfter: 1 } });
};

type Booking = BalanceKey & { readonly address: string; readonly amount: Amount };

const gain = (work: UnitOfWork, booking: Booking): void => {
  const { userId, currency, amount } = booking;
  const before = balanceOf(work, booking);
  work.move('sync_gain', booking);
  const change = availableChange(before, balanceOf(work, booking));
  const payload = { userId, amount: formatAmount(amount), currency, source: 'sync', ...change };
  work.emit({ type: 'balance.credited', aggregateId: userId, userId, payload });
};

/** Returns the operator's part of the loss. */
const lose = (work: UnitOfWork, booking: Booking): Amount => {
  const { userId, currency } = booking;
  const before = balanceOf(work, booking);
  const amount = least(booking.amount, before.available);
  if (amount > 0n) {
    work.move('sync_loss', { ...booking, amount });
    const change = availableChange(before, balanceOf(work, booking));
    const payload = { userId, amount: formatAmount(amount), currency, destination: 'sync', ...change };
    work.emit({ type: 'balance.debited', aggregateId: userId, userId, payload });
  }
  const rest = minus(booking.amount, amount);
  if (rest > 0n) work.move('sync_write_off', { ...booking, amount: rest });
  return rest;
};

const bookLoss = (work: UnitOfWork, { currency: requested, amount, ...of }: Booking): Amount => {
  let missing = amount;
  let writtenOff = ZERO;
  for (const currency of settlingWith(requested)) {
    const part = least(missing, held(work, { address: of.address, currency }));
    if (part === ZERO) continue;
    writtenOff = plus(writtenOff, lose(work, { ...of, currency, amount: part }));
    missing = minus(missing, part);
  }
  return writtenOff;
};

export const syncBalance = command<SyncInput, SyncReply>({
  name: 'sync-balance',
  needs({ userId, currency: requested, observation }) {
    const { rows } = balanceNeeds({ userId, currency: requested }, []);
    const gain = observation ? [syncGainNeeds({ walletId: observation.walletId, asset: assetOf(requested) })] : [];
    const currencies = observation ? settlingWith(requested) : [requested];
    return {
      rows: [...rows, ...gain],
      accounts: currencies.flatMap((currency) => [
        ...balanceNeeds({ userId, currency }, []).accounts,
        ...(observation ? [walletHolding(observation.address, currency), adjustments(currency)] : []),
      ]),
    };
  },
  decide({ userId, currency, observation }, work) {
    const previous = balanceOf(work, { userId, currency });
    let expected = ZERO;
    let difference = ZERO;
    let writtenOff = ZERO;
    if (observation) {
      expectUnmoved(work, observation);
      const { walletId, ledger, address, actual } = observation;
      for (const one of settlingWith(currency)) expected = plus(expected, held(work, { address, currency: one }));
      difference = minus(actual, expected);
      if (difference > 0n) {
        gain(work, { userId, currency, address, amount: difference });
        keepSyncGain(work, { walletId, asset: assetOf(currency), amount: difference, ledger });
      }
      if (difference < 0n) writtenOff = bookLoss(work, { userId, currency, address, amount: negated(difference) });
    }
    const current = balanceOf(work, { userId, currency });
    const onLedger = observation && {
      address: observation.address,
      ledger: formatExact(observation.actual),
      expected: formatExact(expected),
      difference: formatExact(difference),
      writtenOff: formatExact(writtenOff),
    };
    work.audit({
      action: 'BALANCE_SYNCED',
      resourceType: 'Balance',
      resourceId: userId,
      before: auditedBalance(previous),
      after: { ...auditedBalance(current), onLedger },
    });
    return { previous, current, difference };
  },
});
