// Finds the owner of the address or contract of a break. The server names only the address, so this searches the newest
// users and orders, and in the sandbox the accounts of the simulators. Older records are not found.

import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../api.ts';
import { useClient, useConfig, useDenial } from '../../session.tsx';

export type Owner =
  | { readonly kind: 'user'; readonly userId: string; readonly name: string }
  | { readonly kind: 'order'; readonly orderId: string; readonly name: string }
  | { readonly kind: 'platform'; readonly name: string }
  | { readonly kind: 'searching' | 'unknown' };

/** The search limit. It keeps a page at a few requests. */
const SEEN_MAX = 300;
const PAGE = 100;
const PROVIDER = 'payment-provider';
const LEDGER_ADDRESS = /^[CG][A-Z2-7]{55}$/;
const LEDGER_CONTRACT = /^C[A-Z2-7]{55}$/;

export const useOwners = (subjects: readonly string[]): ((subject: string) => Owner) => {
  const client = useClient();
  const isSandbox = useConfig()?.sandbox === true;
  const hasSupport = useDenial('support') === null;
  const wanted = [...new Set(subjects)].filter((subject) => LEDGER_ADDRESS.test(subject)).sort();
  const query = useQuery({
    queryKey: ['break-concerns', wanted],
    queryFn: () => find(client, { wanted, isSandbox: isSandbox && hasSupport }),
    enabled: wanted.length > 0,
  });
  return (subject) => {
    if (subject === PROVIDER) return { kind: 'platform', name: 'Total of all marketplaces' };
    if (!wanted.includes(subject)) return { kind: 'unknown' };
    return query.data?.get(subject) ?? { kind: query.isPending ? 'searching' : 'unknown' };
  };
};

type Search = { readonly wanted: readonly string[]; readonly isSandbox: boolean };

const find = async (client: Client, { wanted, isSandbox }: Search): Promise<Map<string, Owner>> => {
  const found = new Map<string, Owner>();
  const isLeft = (isContract: boolean): boolean =>
    wanted.some((subject) => LEDGER_CONTRACT.test(subject) === isContract && !found.has(subject));

  if (isLeft(false)) {
    const { address } = await client.wallets.treasuryDeposit();
    if (wanted.includes(address)) found.set(address, { kind: 'platform', name: 'Treasury' });
  }
  if (isSandbox) {
    for (const { address, owner } of (await client.sandbox.state()).accounts) {
      if (owner === 'platform' && wanted.includes(address)) found.set(address, { kind: 'platform', name: 'Platform' });
    }
  }
  let seen = 0;
  if (isLeft(false)) {
    for await (const user of client.users.list({ limit: PAGE })) {
      const { ledgerAddress: address, id: userId, externalUserId: name } = user;
      if (address && wanted.includes(address)) found.set(address, { kind: 'user', userId, name });
      if (++seen === SEEN_MAX || !isLeft(false)) break;
    }
  }
  seen = 0;
  if (isLeft(true)) {
    for await (const order of client.orders.list({ limit: PAGE })) {
      const contract = order.escrow?.providerContractId;
      if (contract && wanted.includes(contract)) {
        found.set(contract, { kind: 'order', orderId: order.id, name: order.title });
      }
      if (++seen === SEEN_MAX || !isLeft(true)) break;
    }
  }
  return found;
};
