// The enterprises at the payment provider. The first one has the key of the settings; control adds others. Each has its own keys,
// balance, payments and webhook secret.

import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import type { PaymentConfig } from '../sandbox-config.ts';
import type { Slice } from '../state.ts';
import type { Cents } from './cents.ts';

type Key = { key: string; secret: string };

export type Enterprise = {
  name: string;
  keys: Key[];
  // null: its webhooks are signed with the secret of the target.
  webhookSecret: string | null;
  opening: Cents;
};

export type NewEnterprise = Key & Pick<Enterprise, 'name' | 'webhookSecret' | 'opening'>;

export type Enterprises = {
  // The name of the enterprise that this Authorization header belongs to.
  authenticate(authorization: string): string | null;
  get(name: string): Enterprise;
  // A known name gets one more key, and the webhook secret if there is one.
  put(wanted: NewEnterprise): Enterprise;
  revoke(name: string, key: string): Enterprise;
  // Without the first one.
  added(): Enterprise[];
};

export const FIRST = 'enterprise';

export function keepEnterprises({
  slice,
  config,
  opening,
}: {
  slice: Slice;
  config: PaymentConfig;
  opening: Cents;
}): Enterprises {
  const table = slice.table<Enterprise>('enterprises');
  const { key, secret } = config;
  const first: Enterprise = { name: FIRST, keys: [{ key, secret }], webhookSecret: null, opening };
  const all = () => [first, ...table.values()];
  const find = (name: string) => (name === FIRST ? first : table.get(name));

  return {
    authenticate(authorization) {
      const given = digest(authorization);
      const isGiven = (one: Key) => timingSafeEqual(digest(basicOf(one)), given);
      return all().find(({ keys }) => keys.some(isGiven))?.name ?? null;
    },
    get: (name) => find(name) ?? first,
    put({ key, secret, ...wanted }) {
      const isTaken = all().some(({ keys }) => keys.some((one) => one.key === key));
      if (isTaken) throw new Refusal(409, `The key "${key}" exists already: choose another one.`);
      if (wanted.name === FIRST) throw new Refusal(409, `The enterprise "${FIRST}" has the key of the settings only.`);
      const known = table.get(wanted.name);
      const enterprise = {
        ...(known ?? wanted),
        keys: [...(known?.keys ?? []), { key, secret }],
        webhookSecret: wanted.webhookSecret ?? known?.webhookSecret ?? null,
      };
      table.set(wanted.name, enterprise);
      return enterprise;
    },
    revoke(name, key) {
      const known = table.get(name);
      if (!known?.keys.some((one) => one.key === key)) {
        throw new Refusal(404, `The enterprise "${name}" has no key "${key}". GET /control/state lists them.`);
      }
      const enterprise = { ...known, keys: known.keys.filter((one) => one.key !== key) };
      table.set(name, enterprise);
      return enterprise;
    },
    added: () => [...table.values()],
  };
}

const basicOf = ({ key, secret }: Key) => `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

const digest = (text: string) => createHash('sha256').update(text).digest();
