// Users, their reservations and their statements.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type { ListReservationsQuery, Reservation } from '../printed/balances.ts';
import { ROUTES } from '../printed/routes.ts';
import type { GetStatementQuery, Statement, StatementLine } from '../printed/statements.ts';
import type {
  CreatedUser,
  CreateUserInput,
  LinkPaymentAccountInput,
  ListUsersQuery,
  ReactivateUserInput,
  SuspendUserInput,
  UpdateUserInput,
  User,
} from '../printed/users.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { ACCEPTED, type DocumentFormat } from './receipts.ts';

export type StatementQuery = Omit<GetStatementQuery, 'format'>;

export type StatementFileQuery = Omit<GetStatementQuery, 'format' | 'limit' | 'cursor'> & { format: DocumentFormat };

const statementCalls = (transport: Transport) => {
  // CSV has no envelope; JSON has the usual one.
  const statement = (id: string, query: StatementQuery = {}, options?: CallOptions): Promise<Statement> =>
    transport.call(
      { ...ROUTES.getStatement, wrapping: 'plain' },
      { params: { id }, query: { ...query, format: 'json' } },
      options,
    );

  return {
    /** One page of the statement; `nextCursor` leads to the next one. */
    statement,

    /** Every line of the range, oldest first, over all pages. */
    async *statementLines(
      id: string,
      query: StatementQuery = {},
      options?: CallOptions,
    ): AsyncGenerator<StatementLine> {
      for (let cursor = query.cursor; ; ) {
        const page = await statement(id, cursor === undefined ? query : { limit: query.limit, cursor }, options);
        yield* page.lines;
        if (!page.hasMore || page.nextCursor === null) return;
        cursor = page.nextCursor;
      }
    },

    /** The whole range as a file for people: its bytes. `month` is a range of its own. */
    statementFile: (id: string, { format, ...query }: StatementFileQuery, options?: CallOptions): Promise<Uint8Array> =>
      transport.call(
        ROUTES.getStatement,
        { params: { id }, query: { ...query, format }, accept: ACCEPTED[format], bytes: true },
        options,
      ),

    /** The statement as CSV, for a spreadsheet. */
    statementCsv: (id: string, query: StatementQuery = {}, options?: CallOptions): Promise<string> =>
      transport.call(
        ROUTES.getStatement,
        { params: { id }, query: { ...query, format: 'csv' }, accept: 'text/csv' },
        options,
      ),
  };
};

export const userResource = (transport: Transport) => ({
  /** Creates a user. A repeated `externalUserId` returns the existing user; `differs` names the fields with another value. */
  create: <O extends CallOptions>(input: CreateUserInput, options?: O): Promise<MaybePreview<CreatedUser, O>> =>
    transport.change<CreatedUser, O>(ROUTES.createUser, { body: input }, options),

  /** One user by its id. Fails with USER_NOT_FOUND. */
  get: (id: string, options?: CallOptions): Promise<User> =>
    transport.call(ROUTES.getUser, { params: { id } }, options),

  /** All users, or those that match the query. */
  list: (query: ListUsersQuery = {}, options?: CallOptions): List<User> =>
    listing(transport, ROUTES.listUsers, { query, options }),

  /** Changes the fields that are given. `null` clears the e-mail address or the name; `metadata` is replaced as a whole. */
  update: <O extends CallOptions>(id: string, input: UpdateUserInput, options?: O): Promise<MaybePreview<User, O>> =>
    transport.change<User, O>(ROUTES.updateUser, { params: { id }, body: input }, options),

  /** Links the user to an account at the payment provider. */
  linkPaymentAccount: (id: string, input: LinkPaymentAccountInput, options?: CallOptions): Promise<User> =>
    transport.call(ROUTES.linkPaymentAccount, { params: { id }, body: input }, options),

  /** Suspends a user. The balance stays, but the user cannot start or receive new orders, top-ups or withdrawals. */
  suspend: <O extends CallOptions>(
    id: string,
    input: SuspendUserInput = {},
    options?: O,
  ): Promise<MaybePreview<User, O>> =>
    transport.change<User, O>(ROUTES.suspendUser, { params: { id }, body: input }, options),

  /** Ends a suspension. */
  reactivate: <O extends CallOptions>(
    id: string,
    input: ReactivateUserInput = {},
    options?: O,
  ): Promise<MaybePreview<User, O>> =>
    transport.change<User, O>(ROUTES.reactivateUser, { params: { id }, body: input }, options),

  /** The reservations of a user, with their orders. */
  reservations: (id: string, query: ListReservationsQuery = {}, options?: CallOptions): List<Reservation> =>
    listing(transport, ROUTES.listReservations, { params: { id }, query, options }),

  ...statementCalls(transport),
});
