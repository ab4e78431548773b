// Who sends the requests of a campaign and what there is to name: keys of every sort, a person of Surface B, and the
// ids of records that the answers have told of.

import type { CallerName } from './plan.ts';
import { SECRETS } from './recorded-app.ts';
import { PREFIXES } from './values.ts';

export type People = {
  readonly keys: Readonly<Record<CallerName, string>>;
  /** Ids of the keys above: the fuzzer must not revoke them, or it could send no more requests. */
  readonly keyIds: ReadonlySet<string>;
  readonly userIds: readonly string[];
};

const USERS = 8;
const PASSWORD = 'correct horse battery';

export const provide = async (url: string): Promise<People> => {
  const ask = async (path: string, { key, body }: { key?: string; body: object }) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { data: Record<string, string> };
  };
  const keyIds = new Set<string>();
  const keyOf = async (scopes: string[], marketplaceId = 'mkt_default'): Promise<string> => {
    const body = { name: 'campaign', scopes, marketplaceId };
    const { data } = await ask('/api/v1/auth/api-keys', { key: SECRETS.masterKey, body });
    keyIds.add(data.id!);
    return data.key!;
  };
  const everything = await keyOf(['*']);
  const person = await ask('/auth/register', {
    body: { email: 'person@example.com', password: PASSWORD, name: 'Person' },
  });
  const userIds = [person.data.id!];
  for (let place = 0; place < USERS; place++) {
    const { data } = await ask('/api/v1/users', { key: everything, body: { externalUserId: `user-${place}` } });
    userIds.push(data.id!);
  }
  for (const id of userIds) {
    await ask(`/api/v1/users/${id}/balance/credit`, { key: everything, body: { amount: '5000.00' } });
  }
  return {
    keys: {
      everything,
      read: await keyOf(['read']),
      other: await keyOf(['*'], 'mkt_other'),
      master: SECRETS.masterKey,
      person: person.data.token!,
      anonymous: '',
      forged: `${everything.slice(0, -4)}AAAA`,
    },
    keyIds,
    userIds,
  };
};

const KEPT_MAX = 16;
const ID = new RegExp(`\\b(${PREFIXES.join('|')})_[0-9A-HJKMNP-TV-Z]{26}\\b`, 'g');
const ADDRESS = /\bG[A-Z2-7]{55}\b/g;
const OPEN = /@\{(\w+):(\d+)\}/g;
const UNKNOWN = '01J9ZQ8H7K5M3N2P4R6S8T0V1W';

/** The newest ids of each kind. */
export const openPool = ({ keyIds, userIds }: People) => {
  const known = new Map<string, string[]>([['usr', [...userIds]]]);
  const keep = (kind: string, id: string): void => {
    const kept = known.get(kind) ?? [];
    if (kept.includes(id)) return;
    // The first users have the money.
    if (kept.length >= KEPT_MAX) kept.splice(kind === 'usr' ? userIds.length : 0, 1);
    kept.push(id);
    known.set(kind, kept);
  };
  return {
    learn(text: string): void {
      for (const [id, kind] of text.matchAll(ID)) if (!keyIds.has(id)) keep(kind!, id);
      for (const [address] of text.matchAll(ADDRESS)) keep('adr', address);
    },
    fill: (text: string): string =>
      text.replace(OPEN, (_, kind: string, place: string) => {
        const kept = known.get(kind) ?? [];
        return kept.length === 0 ? `${kind}_${UNKNOWN}` : kept[Number(place) % kept.length]!;
      }),
  };
};
