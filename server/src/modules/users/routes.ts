// User routes.

import * as api from '@holdfast/contract/api/users.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { NEW_ACCOUNT } from '../../base/placeholders.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import type { PreparedWallet } from '../../ledger/keys/wallet.ts';
import { presentBalance } from '../balances/present.ts';
import { reactivateUser, suspendUser } from './change-user.ts';
import { createUser } from './create-user.ts';
import { linkPaymentAccount } from './link-payment-account.ts';
import type { CheckAccount } from './payment-account.ts';
import type { UserReads } from './queries.ts';
import { updateUser } from './update-user.ts';
import type { UserReply } from './user.ts';

type Parts = {
  readonly users: UserReads;
  readonly baseCurrency: Currency;
  /** Asks the payment provider about the account that is linked. */
  readonly checkAccount: CheckAccount;
  /** How long payouts wait after an account was replaced by another one. */
  readonly changeWaitMs: number;
  /** A custodial wallet for a new user. */
  prepareWallet(marketplaceId: string): Promise<PreparedWallet>;
};

const presentUser = ({ user, balance }: UserReply) => {
  const { paymentAccountId: _, paymentAccountEmail: __, paymentAccountActiveFrom, ...shown } = user;
  return {
    ...shown,
    ...(paymentAccountActiveFrom === null ? {} : { paymentAccountActiveFrom }),
    balance: presentBalance(balance),
  };
};

const NO_WALLET: PreparedWallet = { id: 'wal_preview', address: NEW_ACCOUNT, sealedSecret: '' };

export const userRoutes = ({ users, baseCurrency: currency, prepareWallet, ...parts }: Parts): Route[] => [
  write(api.createUser, {
    command: createUser,
    input: async ({ body, context }) => ({
      ...body,
      baseCurrency: currency,
      wallet: await prepareWallet(context.marketplaceId),
    }),
    // No key is made for a preview, so its address must not be one that a reader could send money to.
    preview: { input: ({ body }) => ({ ...body, baseCurrency: currency, wallet: NO_WALLET }) },
    present: (reply) => ({
      ...presentUser(reply),
      ...(reply.differs.length === 0 ? {} : { differs: [...reply.differs] }),
    }),
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
  write(api.updateUser, {
    command: updateUser,
    input: ({ params, body }) => ({ userId: params.id, currency, changes: body }),
    present: presentUser,
  }),
  write(api.linkPaymentAccount, {
    command: linkPaymentAccount,
    async input({ params, body, context }) {
      const found = await users.find(context.marketplaceId, params.id);
      if (!found) throw new DomainError('USER_NOT_FOUND');
      const account = await parts.checkAccount(found.user, { ...body, marketplaceId: context.marketplaceId });
      return { userId: params.id, currency, account, changeWaitMs: parts.changeWaitMs };
    },
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
