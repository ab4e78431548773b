// Where every cent is: liabilities by owner and assets by place, with bars, and the difference between the two.

import type { MoneyReport } from '@holdfast/sdk';
import { cellsOf, unitsOf } from '../money.ts';
import type { Out } from './out.ts';

const CELLS = 24;

const NAMES: Readonly<Record<string, string>> = {
  user_available: 'available to users',
  user_reserved: 'reserved for users',
  in_escrow: 'in escrow',
  platform_fees: 'platform fees',
  payment_float_owed: 'owed at the payment provider',
  escrow_surplus: 'surplus of escrow contracts',
  late_topups: 'top-ups that were paid late',
  operator_adjustments: 'manual adjustments',
  opening_balances: 'opening balances',
  user_wallets: "users' addresses",
  treasury_wallet: "the treasury's address",
  platform_wallet: "the platform's address",
  contracts: 'escrow contracts',
  payment_float: 'at the payment provider',
  network_fees: 'spent on network fees',
};

/** The places of the sandbox's play money: a million that would make everything else invisible. */
const BACKGROUND = ['operator_adjustments', 'treasury_wallet', 'payment_float'];

type Place = { readonly place: string; readonly amount: string };
type Currency = MoneyReport['currencies'][number];
type Scale = { readonly full: bigint; readonly name: number; readonly amount: number };

const nameOf = ({ place }: Place): string => NAMES[place] ?? place;

const sizeOf = ({ amount }: Place): bigint => {
  const units = unitsOf(amount);
  return units < 0n ? -units : units;
};

const largestOf = (places: readonly Place[]): bigint =>
  places
    .map(sizeOf)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .at(-1) ?? 0n;

const scaleOf = ({ claims, holdings, claimsTotal, holdingsTotal }: Currency): Scale => {
  const places: readonly Place[] = [...claims, ...holdings];
  const amounts = [...places.map(({ amount }) => amount), claimsTotal, holdingsTotal];
  return {
    full: largestOf(places.filter(({ place }) => !BACKGROUND.includes(place))) || largestOf(places),
    name: Math.max(...places.map((each) => nameOf(each).length)),
    amount: Math.max(...amounts.map((text) => text.length)),
  };
};

const barOf = (place: Place, full: bigint): string =>
  sizeOf(place) > full ? `${'█'.repeat(CELLS)}»` : '█'.repeat(cellsOf(place.amount, { largest: full, cells: CELLS }));

const sideLines = (
  out: Out,
  { title, places, total, scale }: { title: string; places: readonly Place[]; total: string; scale: Scale },
): string[] => [
  out.paint.bold(`  ${title}`),
  ...places
    .filter((each) => unitsOf(each.amount) !== 0n)
    .map((each) => {
      const colour = each.amount.startsWith('-') ? out.paint.yellow : out.paint.cyan;
      return `    ${nameOf(each).padEnd(scale.name)}  ${each.amount.padStart(scale.amount)}  ${colour(barOf(each, scale.full))}`;
    }),
  `    ${out.paint.dim('total'.padEnd(scale.name))}  ${out.paint.bold(total.padStart(scale.amount))}`,
];

export const showMoneyMap = (out: Out, { currencies }: MoneyReport): void => {
  for (const each of currencies) {
    const scale = scaleOf(each);
    const isZero = unitsOf(each.difference) === 0n;
    out.line(out.paint.bold(each.currency));
    out.lines(sideLines(out, { title: 'Liabilities', places: each.claims, total: each.claimsTotal, scale }));
    out.lines(sideLines(out, { title: 'Assets', places: each.holdings, total: each.holdingsTotal, scale }));
    out.line(`  difference ${(isZero ? out.paint.green : out.paint.red)(each.difference)}`);
    out.line('');
  }
};

export const isBalanced = ({ currencies }: MoneyReport): boolean =>
  currencies.every(({ difference }) => unitsOf(difference) === 0n);
