// The places and the owners of one marketplace's money at one moment: from the sums of the last checkpoint and the postings since, or
// without a checkpoint from the balances of all accounts. The full proof compares the sums with every posting. It only reads.

import { CLAIM_PLACES, type ClaimPlace, HOLDING_PLACES, type HoldingPlace } from '@holdfast/contract/api/reports.ts';
import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { type Amount, fromUnits, minus, negated, plus, ZERO } from '../../books/money.ts';
import { readMaintainedSums } from '../../books/proof.ts';
import { inSnapshot } from '../../postgres/connection.ts';

type Placed<Place> = { readonly place: Place; readonly amount: Amount };

export type CurrencyPlaces = {
  readonly currency: Currency;
  readonly claims: readonly Placed<ClaimPlace>[];
  readonly holdings: readonly Placed<HoldingPlace>[];
  readonly claimsTotal: Amount;
  readonly holdingsTotal: Amount;
  readonly difference: Amount;
};

export type MoneyPlaces = { readonly asOf: string; readonly currencies: readonly CurrencyPlaces[] };

// The ids of accounts name the place. Sums are text, because `numeric` has no parser and must not become a float.
const PLACES = `select a.currency, a.side, p.place, sum(a.balance)::text as units
  from accounts a
  left join wallets w on a.id like 'wallet:%' and w.marketplace_id = a.marketplace_id
    and w.address = split_part(a.id, ':', 2)
  cross join lateral (select case
    when a.user_id is not null then 'user_' || split_part(a.id, ':', 2)
    when a.id like 'ord\\_%:escrow:%' then 'in_escrow'
    when a.id like 'platform:fees:%' then 'platform_fees'
    when a.id like 'payment-float-owed:%' then 'payment_float_owed'
    when a.id like 'operator:escrow-surplus:%' then 'escrow_surplus'
    when a.id like 'operator:late-topups:%' then 'late_topups'
    when a.id like 'operator:adjustments:%' then 'operator_adjustments'
    when a.id like 'operator:opening-balances:%' then 'opening_balances'
    when a.id like 'wallet:%' then case w.owner
      when 'treasury' then 'treasury_wallet' when 'platform' then 'platform_wallet' else 'user_wallets' end
    when a.id like 'contract:%' then 'contracts'
    when a.id like 'payment-float:%' then 'payment_float'
    when a.id like 'network:fees:%' then 'network_fees'
    end as place) p
  where a.marketplace_id = $1 group by 1, 2, 3`;

const NOW = 'select now() as now';

type Row = { readonly currency: string; readonly side: string; readonly place: string | null; readonly units: bigint };

const total = (parts: readonly { amount: Amount }[]): Amount =>
  parts.reduce((sum, { amount }) => plus(sum, amount), ZERO);

const ofCurrency = (currency: Currency, rows: readonly Row[]): CurrencyPlaces => {
  const unplaced = rows.find(({ place }) => ![...CLAIM_PLACES, ...HOLDING_PLACES].includes(place as ClaimPlace));
  // An account without a place would be left out, and the two sides would differ for no visible reason.
  if (unplaced) throw new Error(`there are ${unplaced.side} accounts in ${currency} that belong to no place`);
  const unitsAt = (place: string): Amount =>
    fromUnits(rows.reduce((sum, row) => (row.place === place ? sum + row.units : sum), 0n));
  const claims = CLAIM_PLACES.map((place) => ({ place, amount: unitsAt(place) }));
  const holdings = HOLDING_PLACES.map((place) => ({ place, amount: negated(unitsAt(place)) }));
  const claimsTotal = total(claims);
  const holdingsTotal = total(holdings);
  return { currency, claims, holdings, claimsTotal, holdingsTotal, difference: minus(claimsTotal, holdingsTotal) };
};

type BalanceRow = Omit<Row, 'units'> & { readonly units: string };

/** Adds up all accounts, also those of closed orders. */
const readBalances = async (client: pg.PoolClient, marketplaceId: string): Promise<Row[]> => {
  const { rows } = await client.query<BalanceRow>(PLACES, [marketplaceId]);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
};

export const createMoneyReads = (pool: pg.Pool) => ({
  async places(marketplaceId: string): Promise<MoneyPlaces> {
    const { rows, asOf } = await inSnapshot(pool, async (client) => ({
      rows: (await readMaintainedSums(client, marketplaceId)) ?? (await readBalances(client, marketplaceId)),
      asOf: (await client.query<{ now: string }>(NOW)).rows[0]!.now,
    }));
    const currencies = CURRENCIES.filter((currency) => rows.some((row) => row.currency === currency));
    return {
      asOf,
      currencies: currencies.map((currency) =>
        ofCurrency(
          currency,
          rows.filter((row) => row.currency === currency),
        ),
      ),
    };
  },
});

export type MoneyReads = ReturnType<typeof createMoneyReads>;
