// The place of an account: whose the money is, or where it is. The id of the account names it, except for wallets, where the owner of the
// wallet decides. Sums of postings by currency, side and place are what a checkpoint keeps.

/** For statements over `accounts a`. `$1` is the marketplace. Adds `w`, the wallets of the platform: there are only a few. */
export const JOIN_PLATFORM_WALLETS = `left join (
    select w.address, w.owner from wallets w where w.marketplace_id = $1 and w.owner <> 'user'
  ) w on a.id like 'wallet:%' and w.address = split_part(a.id, ':', 2)`;

/** The place of the account `a`; null for an account that belongs to none. */
export const PLACE = `case
    when a.user_id is not null then 'user_' || split_part(a.id, ':', 2)
    when a.id like 'ord\\_%:escrow:%' then 'in_escrow'
    when a.id like 'platform:fees:%' then 'platform_fees'
    when a.id like 'payment-float-owed:%' then 'payment_float_owed'
    when a.id like 'operator:escrow-surplus:%' then 'escrow_surplus'
    when a.id like 'operator:late-topups:%' then 'late_topups'
    when a.id like 'operator:adjustments:%' then 'operator_adjustments'
    when a.id like 'wallet:%' then case w.owner
      when 'treasury' then 'treasury_wallet' when 'platform' then 'platform_wallet' else 'user_wallets' end
    when a.id like 'contract:%' then 'contracts'
    when a.id like 'payment-float:%' then 'payment_float'
    when a.id like 'network:fees:%' then 'network_fees'
    end`;

export type PlaceSum = {
  readonly currency: string;
  readonly side: 'claim' | 'holding';
  /** Null for accounts that belong to no place. */
  readonly place: string | null;
  readonly units: bigint;
};

/** Of postings whose account has no row. */
export const UNKNOWN_CURRENCY = 'unknown';

const keyOf = ({ currency, side, place }: PlaceSum): string => JSON.stringify([currency, side, place]);

/** One sum for each currency, side and place, in the order of their names. A sum of zero stays: it has had postings. */
export const addSums = (...parts: readonly (readonly PlaceSum[])[]): PlaceSum[] => {
  const sums = new Map<string, PlaceSum>();
  for (const sum of parts.flat()) {
    const key = keyOf(sum);
    sums.set(key, { ...sum, units: (sums.get(key)?.units ?? 0n) + sum.units });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
};

/** One sum for each currency. */
export const sumsByCurrency = (sums: readonly PlaceSum[]): PlaceSum[] =>
  addSums(sums.map(({ currency, units }) => ({ currency, side: 'claim', place: null, units })));

/** The same sums have the same text. */
export const formatSums = (sums: readonly PlaceSum[]): string =>
  JSON.stringify(addSums(sums).map(({ currency, side, place, units }) => [currency, side, place, String(units)]));

export const parseSums = (text: string): PlaceSum[] =>
  (JSON.parse(text) as [string, PlaceSum['side'], string | null, string][]).map(([currency, side, place, units]) => ({
    currency,
    side,
    place,
    units: BigInt(units),
  }));
