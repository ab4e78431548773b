// How the payment account of a marketplace is shown: which secrets are set and since when, never a secret.

import { laterBy } from '../../base/instant.ts';
import type { ListedCredentials } from './queries.ts';
import { SECRET_NAMES } from './secrets.ts';

const presentSet = ({ id, providerAccount, baseUrl, payerUrl, createdAt }: ListedCredentials) => ({
  id,
  providerAccountId: providerAccount,
  baseUrl,
  payerUrl,
  secrets: [...SECRET_NAMES],
  since: createdAt,
});

type Shown = { readonly marketplaceId: string; readonly all: readonly ListedCredentials[]; readonly overlapMs: number };

/** `all` is sorted, newest first. */
export const presentAccount = ({ marketplaceId, all, overlapMs }: Shown) => {
  const current = all.find(({ replacedAt }) => replacedAt === null) ?? null;
  const isNewest = ({ id, providerAccount }: ListedCredentials): boolean =>
    all.find((one) => one.providerAccount === providerAccount)?.id === id;
  const former = all.flatMap((one) =>
    one.replacedAt === null
      ? []
      : [
          {
            ...presentSet(one),
            until: one.replacedAt,
            webhookSecretUntil: isNewest(one) ? null : laterBy(one.replacedAt, overlapMs),
            openPayments: one.openPayments,
          },
        ],
  );
  return {
    marketplaceId,
    account: current ? ('own' as const) : ('shared' as const),
    credentials: current && presentSet(current),
    former,
  };
};
