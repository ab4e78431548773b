// Whether the outside world has what the books say: every wallet and every contract on the ledger to 10^-7, the stranger
// what was withdrawn to him, and the payment provider what was paid in and out.

import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import type { Look } from './checks.ts';
import type { Environment } from './environment.ts';
import { exactUnits } from './lives.ts';
import type { Any } from './simulators.ts';

const assetOf = (name: string): string => (name === 'native' ? 'XLM' : 'USDC');

/** By address and asset. */
const onLedger = ({ accounts, contracts }: Any): Map<string, bigint> => {
  const there = new Map<string, bigint>();
  for (const { address, contractId, balances } of [...accounts, ...contracts]) {
    for (const [asset, amount] of Object.entries(balances as Record<string, string>)) {
      there.set(`${address ?? contractId}:${assetOf(asset)}`, exactUnits(amount));
    }
  }
  return there;
};

const BOOKS = `select split_part(id, ':', 2) || ':' || case when currency = 'XLM' then 'XLM' else 'USDC' end as place,
    (-sum(balance))::text as units
  from accounts where id like 'wallet:%' or id like 'contract:%' group by 1`;

const OURS = `select address as place from wallets where type = 'INVISIBLE' and status = 'ACTIVE'
  union select provider_contract_id from escrows where provider_contract_id is not null`;

const differences = async ({ sql }: Environment, state: Any): Promise<string[]> => {
  const there = onLedger(state);
  const books = new Map((await sql(BOOKS)).map(({ place, units }): [string, bigint] => [place, BigInt(units)]));
  const ours = (await sql(OURS)).flatMap(({ place }) => [`${place}:USDC`, `${place}:XLM`]);
  return [...new Set([...books.keys(), ...ours])]
    .filter((place) => (books.get(place) ?? 0n) !== (there.get(place) ?? 0n))
    .map((place) => `${place}: ${books.get(place) ?? 0n} in the books, ${there.get(place) ?? 0n} on the ledger`);
};

const WITHDRAWN = `select case when currency = 'XLM' then 'XLM' else 'USDC' end as asset, sum(paid)::text as units
  from withdrawals where address = $1 group by 1`;

/** What friends of the ledger are given, less the fee of a trustline. */
const STRANGER_BEGINS: Readonly<Record<string, bigint>> = { USDC: 0n, XLM: 100_000_000_000n - 100n };

const strangerDiffers = async ({ sql, simulators }: Environment, state: Any): Promise<string[]> => {
  const { stranger } = simulators.facts;
  const there = onLedger(state);
  const paid = new Map((await sql(WITHDRAWN, [stranger])).map(({ asset, units }) => [asset, BigInt(units)]));
  return Object.entries(STRANGER_BEGINS).flatMap(([asset, begun]) => {
    const [should, is] = [begun + (paid.get(asset) ?? 0n), there.get(`${stranger}:${asset}`) ?? 0n];
    return should === is ? [] : [`the stranger has ${is} of ${asset} and should have ${should}`];
  });
};

const floatDiffers = async ({ pool }: Environment, { balance }: Any): Promise<string[]> => {
  const floats = await createFloatReads(pool).floats();
  if (floats.length === 0) return [];
  const books = floats.reduce((sum, { amount }) => sum + amount, 0n);
  const there = exactUnits(balance.available) + exactUnits(balance.pending);
  return books === there ? [] : [`the provider has ${there}, the books have ${books} there`];
};

export const lookAtLedger: Look = async ({ environment }) => {
  const state = await environment.simulators.sendControl('GET /state');
  return [
    ...(await differences(environment, state)),
    ...(await strangerDiffers(environment, state)),
    ...(await floatDiffers(environment, state)),
  ];
};
