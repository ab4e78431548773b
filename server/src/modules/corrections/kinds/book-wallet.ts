// Books the difference between the ledger and the books at one of our addresses to the operator's adjustments. A user's balance does not
// change. It decides only on the books that the ledger was compared with.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { adjustments, walletHolding } from '../../../books/accounts.ts';
import { type Amount, formatExact, least, minus, negated, sumOf, ZERO } from '../../../books/money.ts';
import type { Needs, UnitOfWork } from '../../../commit/command.ts';
import { keepSettlementGain, settlementGainNeeds } from '../../../ledger/deposits/kept-gain.ts';
import { type Asset, assetOf } from '../../../ledger/keys/wallet.ts';
import { held } from '../../../ledger/transactions/wallet-payment.ts';
import { expectUnmoved, type LedgerObservation } from '../../balances/sync-balance.ts';
import type { BreakRecord } from '../../reconciliation/queries.ts';
import type { Figures } from '../correction.ts';

export type SeenWallet = {
  readonly observation: LedgerObservation;
  /** Null: an address of the operator. */
  readonly userId: string | null;
  readonly asset: Asset;
  /** The currency that a gain in this asset is booked in. */
  readonly currency: Currency;
};

/** Compares the address of a break with the books, twice, and refuses while something moves there or the ledger is silent. */
export type ObserveAddress = (
  marketplaceId: string,
  found: Pick<BreakRecord, 'kind' | 'subject'>,
) => Promise<SeenWallet>;

const currenciesOf = (asset: Asset): Currency[] => CURRENCIES.filter((currency) => assetOf(currency) === asset);

export const walletNeeds = ({ observation: { address }, asset }: SeenWallet): Required<Needs> => ({
  rows: [settlementGainNeeds({ address, asset })],
  accounts: currenciesOf(asset).flatMap((currency) => [walletHolding(address, currency), adjustments(currency)]),
});

type Booked = {
  readonly before: Figures;
  readonly after: Figures;
  readonly amount: Amount;
  /** Null: several. */
  readonly currency: Currency | null;
};

const figuresOf = (work: UnitOfWork, { observation: { address, actual }, asset }: SeenWallet): Figures => {
  const currencies = currenciesOf(asset);
  return {
    address,
    onLedger: formatExact(actual),
    inBooks: formatExact(sumOf(currencies.map((currency) => held(work, { address, currency })))),
    adjustments: Object.fromEntries(
      currencies.map((currency) => [currency, formatExact(work.balance(adjustments(currency)))]),
    ),
  };
};

/** A loss is taken from the currencies that the books have there. Returns them. */
const lose = (
  work: UnitOfWork,
  { seen, amount, reference }: { seen: SeenWallet; amount: Amount; reference: string },
): Currency[] => {
  const { address } = seen.observation;
  const touched: Currency[] = [];
  let missing = amount;
  for (const currency of currenciesOf(seen.asset)) {
    const part = least(missing, held(work, { address, currency }));
    if (part === ZERO) continue;
    work.move('sync_write_off', { address, currency, amount: part, reference });
    missing = minus(missing, part);
    touched.push(currency);
  }
  return touched;
};

/** Null: there is no difference any more. */
export const bookWallet = (
  work: UnitOfWork,
  { reference, ...seen }: SeenWallet & { readonly reference: string },
): Booked | null => {
  const { observation, asset, currency, userId } = seen;
  const { address, actual, ledger } = observation;
  expectUnmoved(work, observation);
  const expected = sumOf(currenciesOf(asset).map((one) => held(work, { address, currency: one })));
  const difference = minus(actual, expected);
  if (difference === ZERO) return null;
  const before = figuresOf(work, seen);
  const amount = difference < ZERO ? negated(difference) : difference;
  if (difference > ZERO) {
    if (userId !== null) throw new Error(`a gain at the address of the user ${userId} is not the operator's`);
    work.move('house_deposit', { address, currency, amount, reference });
    // The deposit behind it, or the payment of our own, may come into the books later, and then explains this gain.
    keepSettlementGain(work, { address, asset, amount, ledger });
    return { before, after: figuresOf(work, seen), amount, currency };
  }
  const touched = lose(work, { seen, amount, reference });
  // One sum of several currencies: a rule about any of them binds it.
  return { before, after: figuresOf(work, seen), amount, currency: touched.length === 1 ? touched[0]! : null };
};
