// User routes.

import * as api from '@holdfast/contract/api/users.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { PreparedWallet } from '../../ledger/keys/wallet.ts';
import { presentBalance } from '../balances/present.ts';
import { linkPaymentAccount, reactivateUser, suspendUser } from './change-user.ts';
import { createUser } from './create-user.ts';
import type { UserReads } from './queries.ts';
import type { UserReply } from './user.ts';

type Parts = {
  readonly users: UserReads;
  readonly baseCurrency: Currency;
  /** A custodial wallet for a new user. */
  prepareWallet(marketplaceId: string): Promise<PreparedWallet>;
};

const oneOf = (body: { email?: string; paymentAccountUserId?: string }): string => {
  const { email, paymentAccountUserId } = body;
  const account = email ?? paymentAccountUserId;
  if (account !== undefined && (email === undefined || paymentAccountUserId === undefined)) return account;
  throw validationError(['send exactly one of email and paymentAccountUserId']);
};

const presentUser = ({ user, balance }: UserReply) => ({
  ...user,
  balance: presentBalance(balance),
});

export const userRoutes = ({ users, baseCurrency: currency, prepareWallet }: Parts): Route[] => [
  write(api.createUser, {
    command: createUser,
    input: async ({ body, context }) => ({
      externalUserId: body.externalUserId,
      email: body.email ?? null,
      type: body.type ?? 'BOTH',
      metadata: body.metadata ?? {},
      baseCurrency: currency,
      wallet: await prepareWallet(context.marketplaceId),
    }),
    present: (reply) => presentUser(reply),
    status: ({ created }) => (created ? 201 : 200),
  }),
  list(api.listUsers, async ({ query, context }) => {
    const page = await users.list(pageRequest('user', { query, context }));
    return { items: page.rows.map(presentUser), nextCursor: page.nextCursor };
  }),
  read(api.getUser, async ({ params, context }) => {
    const found = await users.find(context.marketplaceId, params.id);
    if (!found) throw new DomainError('USER_NOT_FOUND');
    return presentUser(found);
  }),
  write(api.linkPaymentAccount, {
    command: linkPaymentAccount,
    input: ({ params, body }) => ({ userId: params.id, currency, paymentAccountUserId: oneOf(body) }),
    present: presentUser,
  }),
  write(api.suspendUser, {
    command: suspendUser,
    input: ({ params, body }) => ({ userId: params.id, currency, reason: body.reason ?? null }),
    present: presentUser,
  }),
  write(api.reactivateUser, {
    command: reactivateUser,
    input: ({ params, body }) => ({ userId: params.id, currency, reason: body.reason ?? null }),
    present: presentUser,
  }),
];
