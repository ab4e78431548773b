// Who the requests of bench/processes.ts are about: users of many marketplaces, each with the key of its own.

import type { Cluster } from '../tools/cluster/cluster.ts';
import { call } from './api.ts';

/** A key for each user; users in a row are of different marketplaces. */
export type Environment = { readonly users: readonly string[]; readonly keys: readonly string[] };

const USERS_EACH = 8;
const START_MONEY = '1000000.00';

export const settleEnvironment = async (
  { url, masterKey }: Cluster,
  marketplaces: readonly string[],
): Promise<Environment> => {
  const houses: { key: string; users: string[] }[] = [];
  for (const marketplaceId of marketplaces) {
    const body = { name: 'bench', scopes: ['*'], marketplaceId };
    const { key } = await call(url, { key: masterKey, request: 'POST /auth/api-keys', body });
    const make = async (n: number): Promise<string> => {
      const { id } = await call(url, { key, request: 'POST /users', body: { externalUserId: `user-${n}` } });
      await call(url, { key, request: `POST /users/${id}/balance/credit`, body: { amount: START_MONEY } });
      return id;
    };
    houses.push({ key, users: await Promise.all(Array.from({ length: USERS_EACH }, (_, n) => make(n))) });
  }
  const turns = Array.from({ length: USERS_EACH }, (_, n) =>
    houses.map(({ key, users }) => ({ key, user: users[n]! })),
  );
  return { users: turns.flat().map(({ user }) => user), keys: turns.flat().map(({ key }) => key) };
};

/** Of every marketplace, from every posting. */
export const proveEnvironment = async (url: string, { keys }: Environment): Promise<void> => {
  for (const key of new Set(keys)) {
    const proof = await call(url, { key, request: 'GET /audit/proof' });
    if (!proof.holds) throw new Error(`the books do not add up: ${JSON.stringify(proof.checks)}`);
  }
};
