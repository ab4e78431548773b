// Reads the balances back after an import and compares them with the source, user by user and as sums by currency. It also shows what the
// import means for the proof of balances: which assets the operator still has to bring in.

import { amountOf, unitsOf } from '../money.ts';
import { changeOf, type Plan, type PlannedMoney } from './plan.ts';
import { balanceKey } from './records.ts';
import type { StateFile } from './state-file.ts';
import { type Balance, eachOf, readBalance, type Target, type Users } from './target.ts';

export type Sum = {
  readonly currency: string;
  /** What the source has. */
  readonly source: { readonly available: string; readonly reserved: string };
  /** Reserved in the source for orders that stay there. */
  readonly left: string;
  /** What the import has changed in Holdfast; null before it was applied. */
  readonly holdfast: { readonly available: string; readonly reserved: string } | null;
  /** What Holdfast has less than it should; null before the import was applied. */
  readonly difference: string | null;
};

export type Compared = { readonly sums: readonly Sum[]; readonly differences: readonly string[] };

const NOTHING: Balance = { available: 0n, reserved: 0n };

const plus = (one: Balance, other: Balance): Balance => ({
  available: one.available + other.available,
  reserved: one.reserved + other.reserved,
});

const minus = (one: Balance, other: Balance): Balance => ({
  available: one.available - other.available,
  reserved: one.reserved - other.reserved,
});

const totalOf = ({ available, reserved }: Balance): bigint => available + reserved;

const shown = ({ available, reserved }: Balance) => ({
  available: amountOf(available),
  reserved: amountOf(reserved),
});

/** The change of each balance in Holdfast, by balance key; null: it was not applied. */
type Changes = ReadonlyMap<string, Balance> | null;

const sumsOf = ({ money }: Plan, changes: Changes): Sum[] =>
  [...Map.groupBy(money, ({ currency }) => currency)].sort().map(([currency, rows]) => {
    const source = rows.reduce((sum, row) => plus(sum, row.source), NOTHING);
    const wanted = rows.reduce((sum, row) => plus(sum, changeOf(row)), NOTHING);
    const there =
      changes &&
      rows.reduce((sum, row) => plus(sum, changes.get(balanceKey(row.externalUserId, currency)) ?? NOTHING), NOTHING);
    return {
      currency,
      source: shown(source),
      left: amountOf(rows.reduce((sum, { left }) => sum + left, 0n)),
      holdfast: there && shown(there),
      difference: there && amountOf(totalOf(minus(wanted, there))),
    };
  });

export const plannedSums = (plan: Plan): Sum[] => sumsOf(plan, null);

const differenceOf = ({ externalUserId, currency, ...row }: PlannedMoney, there: Balance): string | null => {
  const wanted = changeOf({ externalUserId, currency, ...row });
  if (there.available === wanted.available && there.reserved === wanted.reserved) return null;
  const [have, want] = [there, wanted].map(
    ({ available, reserved }) => `${amountOf(available)} available and ${amountOf(reserved)} reserved`,
  );
  return `${externalUserId} in ${currency}: the import should have added ${want}, and Holdfast has ${have}.`;
};

type Asked = { readonly plan: Plan; readonly users: Users; readonly state: StateFile };

export const compareBalances = async (target: Target, { plan, users, state }: Asked): Promise<Compared> => {
  const changes = new Map<string, Balance>();
  const differences: string[] = [];
  await eachOf(plan.money, async (row) => {
    const { externalUserId, currency } = row;
    const key = balanceKey(externalUserId, currency);
    const user = users.get(externalUserId);
    const now = user ? await readBalance(target, { userId: user.id, currency }) : NOTHING;
    const change = minus(now, state.before(key) ?? NOTHING);
    changes.set(key, change);
    const difference = differenceOf(row, change);
    if (difference !== null) differences.push(difference);
  });
  return { sums: sumsOf(plan, changes), differences: differences.sort() };
};

export type Backing = {
  readonly currency: string;
  readonly liabilities: string;
  readonly liabilitiesAfter: string;
  readonly assets: string;
  /** What the operator still has to bring in; 0.00 when the assets cover the liabilities. */
  readonly missing: string;
};

/** What the users will be owed after the import, and what is there for it. `credits`: opening credits that are not booked yet. */
export const readBacking = async (
  { client, signal }: Target,
  credits: ReadonlyMap<string, bigint>,
): Promise<Backing[]> => {
  const { currencies } = await client.audit.proof({}, { signal });
  const names = new Set([...currencies.map(({ currency }) => currency), ...credits.keys()]);
  return [...names].sort().map((currency) => {
    const row = currencies.find((each) => each.currency === currency);
    const liabilities = unitsOf(row?.claims ?? '0');
    const after = liabilities + (credits.get(currency) ?? 0n);
    const assets = unitsOf(row?.holdings ?? '0');
    return {
      currency,
      liabilities: amountOf(liabilities),
      liabilitiesAfter: amountOf(after),
      assets: amountOf(assets),
      missing: amountOf(after > assets ? after - assets : 0n),
    };
  });
};
