// Liabilities and assets side by side: whose money it is and where it is held. Both lists have the same total. The test money that a
// sandbox starts with is apart, with a scale of its own: it is a thousand times the rest.

import type { MoneyReport } from '@holdfast/sdk';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { amountOf, compare, negate, shareOf, type Units, ZERO } from '../../parts/money/amounts.ts';
import { useConfig } from '../../session.tsx';

type Money = MoneyReport['currencies'][number];
type Place = Money['claims'][number]['place'] | Money['holdings'][number]['place'];

const NAMES: Readonly<Record<Place, string>> = {
  user_available: 'Users, available',
  user_reserved: 'Users, reserved',
  in_escrow: 'Orders, in escrow',
  platform_fees: 'Platform, fees earned',
  payment_float_owed: 'Owed to payment provider',
  escrow_surplus: 'Surplus of escrow contracts',
  late_topups: 'Top-ups paid late',
  operator_adjustments: 'Manual adjustments',
  opening_balances: 'Opening balances',
  user_wallets: "Users' wallets",
  treasury_wallet: 'Treasury wallet',
  platform_wallet: 'Platform wallet',
  contracts: 'Escrow contracts',
  payment_float: 'Payment provider',
  network_fees: 'Network and protocol fees',
};

/** Where a sandbox puts its test money: into the treasury and to the payment provider, against manual adjustments. */
const TEST_MONEY: readonly Place[] = ['operator_adjustments', 'treasury_wallet', 'payment_float', 'payment_float_owed'];

export const LiabilitiesAndAssets = ({ money }: { readonly money: Money }) => (
  <div className="columns">
    <BalanceSide title="Liabilities" rows={money.claims} total={money.claimsTotal} currency={money.currency} />
    <BalanceSide title="Assets" rows={money.holdings} total={money.holdingsTotal} currency={money.currency} />
  </div>
);

type BalanceSideProps = {
  readonly title: string;
  readonly rows: readonly { readonly place: Place; readonly amount: string }[];
  readonly total: string;
  readonly currency: string;
};

type Row = { readonly place: Place; readonly amount: Units };

const size = (amount: Units): Units => (amount < 0n ? negate(amount) : amount);

const BalanceSide = ({ title, rows, total, currency }: BalanceSideProps) => {
  const isSandbox = useConfig()?.sandbox === true;
  const shown = rows.map(({ place, amount }) => ({ place, amount: amountOf(amount) }));
  const isApart = ({ place }: Row): boolean => isSandbox && TEST_MONEY.includes(place);
  const apart = shown.filter(isApart);
  return (
    <table className="places">
      <caption>{title}</caption>
      <tbody>
        <PlaceRows rows={shown.filter((row) => !isApart(row))} />
      </tbody>
      {apart.length > 0 ? (
        <tbody className="places-apart">
          <tr>
            <th scope="rowgroup" colSpan={3}>
              Sandbox test money and manual adjustments (own scale)
            </th>
          </tr>
          <PlaceRows rows={apart} />
        </tbody>
      ) : null}
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="places-bar" aria-hidden="true" />
          <td>
            <ExactAmount value={total} currency={currency} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
};

/** The bars of these rows have one scale. */
const PlaceRows = ({ rows }: { readonly rows: readonly Row[] }) => {
  const largest =
    rows
      .map(({ amount }) => size(amount))
      .sort(compare)
      .at(-1) ?? ZERO;
  return rows.map(({ place, amount }) => (
    <tr key={place}>
      <th scope="row">{NAMES[place]}</th>
      <td className="places-bar" aria-hidden="true">
        <span data-below={amount < 0n || undefined} style={{ width: `${shareOf(size(amount), largest) / 10}%` }} />
      </td>
      <td>
        <ExactAmount value={amount} />
      </td>
    </tr>
  ));
};
