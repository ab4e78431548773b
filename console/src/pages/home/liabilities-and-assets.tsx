// Liabilities and assets side by side: whose money it is and where it is held. Both lists have the same total.

import type { MoneyReport } from '@holdfast/sdk';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { amountOf, compare, negate, shareOf, type Units, ZERO } from '../../parts/money/amounts.ts';

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

const size = (amount: Units): Units => (amount < 0n ? negate(amount) : amount);

const BalanceSide = ({ title, rows, total, currency }: BalanceSideProps) => {
  const shown = rows.map(({ place, amount }) => ({ place, amount: amountOf(amount) }));
  const largest =
    shown
      .map(({ amount }) => size(amount))
      .sort(compare)
      .at(-1) ?? ZERO;
  return (
    <table className="places">
      <caption>{title}</caption>
      <tbody>
        {shown.map(({ place, amount }) => (
          <tr key={place}>
            <th scope="row">{NAMES[place]}</th>
            <td className="places-bar" aria-hidden="true">
              <span
                data-below={amount < 0n || undefined}
                style={{ width: `${shareOf(size(amount), largest) / 10}%` }}
              />
            </td>
            <td>
              <ExactAmount value={amount} />
            </td>
          </tr>
        ))}
      </tbody>
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
