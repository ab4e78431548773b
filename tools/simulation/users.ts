// The people of a simulated environment: users with e-mails and money in each marketplace, their addresses on the ledger, and
// treasuries with enough to pay whatever is asked of them.

import type { Holdfast } from '@holdfast/sdk';
import type { Environment } from './environment.ts';
import { retryUntil } from './retry.ts';
import { type Currency, textOf, unitsOf } from './scenarios/scenarios.ts';

export type SimulatedUser = { readonly id: string; readonly address: string };

/** A credit to a user before the first scenario begins. */
type Grant = { readonly userId: string; readonly currency: Currency; readonly units: bigint };

export type Users = {
  readonly of: readonly (readonly SimulatedUser[])[];
  readonly grants: readonly Grant[];
};

const TREASURY = { USDC: '5000000.00', XLM: '500000.00' } as const;
const GRANTS: Readonly<Record<Currency, number>> = { USD: 500_000, USDC: 60_000, XLM: 60_000 };

const createUser = async (client: Holdfast, name: string): Promise<string> => {
  const { id } = await client.users.create({ externalUserId: name, email: `${name}@shop.example` });
  for (const [currency, cents] of Object.entries(GRANTS) as [Currency, number][]) {
    await client.balances.credit(id, { amount: textOf(cents), currency, reference: `grant-${name}-${currency}` });
  }
  return id;
};

const ADDRESSES = `select user_id as id, address from wallets
  where marketplace_id = $1 and owner = 'user' and status = 'ACTIVE'`;
const TREASURIES = `select id from wallets where marketplace_id = $1 and owner = 'treasury'`;
const FILLED = `select count(distinct d.asset)::int as assets from deposits d join wallets w
  on w.marketplace_id = d.marketplace_id and w.id = d.wallet_id and w.owner = 'treasury' where d.marketplace_id = $1`;

type Filling = { readonly client: Holdfast; readonly marketplaceId: string; readonly userIds: readonly string[] };

/** Pays into the treasury, and waits until it has activated the wallets of these users, all of the marketplace. */
export const fillTreasury = async ({ sql, simulators }: Environment, of: Filling): Promise<void> => {
  // It is made a moment after the first user.
  await retryUntil(async () => (await sql(TREASURIES, [of.marketplaceId])).length > 0, 'the treasury is made');
  const { address } = await of.client.wallets.treasuryDeposit();
  for (const [asset, amount] of Object.entries(TREASURY)) {
    await retryUntil(async () => {
      const paid = await simulators.sendControl('POST /faucet', { address, asset, amount }).catch(() => null);
      return paid !== null;
    }, 'the treasury is filled');
  }
  await retryUntil(async () => {
    const [row] = await sql(FILLED, [of.marketplaceId]);
    return row.assets === Object.keys(TREASURY).length;
  }, 'the treasury has seen it');
  for (const id of of.userIds)
    await retryUntil(async () => (await of.client.wallets.deposit(id)).address !== '', 'an address');
  const count = of.userIds.length;
  await retryUntil(async () => (await sql(ADDRESSES, [of.marketplaceId])).length === count, 'all wallets live');
};

export const createUsers = async (environment: Environment): Promise<Users> => {
  const { plan, places, sql } = environment;
  const grants: Grant[] = [];
  const of = await Promise.all(
    places.map(async ({ client, marketplaceId }, place) => {
      const names = Array.from({ length: plan.users }, (_, number) => `p${place}-${number}`);
      const ids = await Promise.all(names.map((name) => createUser(client, name)));
      await fillTreasury(environment, { client, marketplaceId, userIds: ids });
      const addresses = new Map((await sql(ADDRESSES, [marketplaceId])).map(({ id, address: at }) => [id, at]));
      for (const userId of ids) {
        for (const [currency, cents] of Object.entries(GRANTS) as [Currency, number][]) {
          grants.push({ userId, currency, units: unitsOf(cents) });
        }
      }
      return ids.map((id): SimulatedUser => ({ id, address: addresses.get(id)! }));
    }),
  );
  return { of, grants };
};
