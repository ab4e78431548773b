// Users, what they have, and what is set aside.

import { type List, listing } from '../pages.ts';
import type { ListReservationsQuery, Reservation } from '../printed/reservations.ts';
import { ROUTES } from '../printed/routes.ts';
import type { GetStatementQuery, Statement, StatementLine } from '../printed/statements.ts';
import type {
  CreateUserInput,
  LinkPaymentAccountInput,
  ListUsersQuery,
  ReactivateUserInput,
  SuspendUserInput,
  User,
} from '../printed/users.ts';
import type { CallOptions, Transport } from '../transport.ts';

export type StatementQuery = Omit<GetStatementQuery, 'format'>;

export const userResource = (transport: Transport) => {
  // As text it has no envelope, as JSON it has the usual one.
  const statement = (id: string, query: StatementQuery = {}, options?: CallOptions): Promise<Statement> =>
    transport.call(
      { ...ROUTES.getStatement, wrapping: 'plain' },
      { params: { id }, query: { ...query, format: 'json' } },
      options,
    );

  return {
    /** The same `externalUserId` again answers the user that exists. */
    create: (input: CreateUserInput, options?: CallOptions): Promise<User> =>
      transport.call(ROUTES.createUser, { body: input }, options),

    /** One user by the service's id. Fails with USER_NOT_FOUND. */
    get: (id: string, options?: CallOptions): Promise<User> =>
      transport.call(ROUTES.getUser, { params: { id } }, options),

    /** All users, or those that the query describes. */
    list: (query: ListUsersQuery = {}, options?: CallOptions): List<User> =>
      listing(transport, ROUTES.listUsers, { query, options }),

    /** Remembers who the user is at the payment provider. */
    linkPaymentAccount: (id: string, input: LinkPaymentAccountInput, options?: CallOptions): Promise<User> =>
      transport.call(ROUTES.linkPaymentAccount, { params: { id }, body: input }, options),

    /** The money stays, but nothing new begins: no order, top-up or withdrawal, on either side. */
    suspend: (id: string, input: SuspendUserInput = {}, options?: CallOptions): Promise<User> =>
      transport.call(ROUTES.suspendUser, { params: { id }, body: input }, options),

    /** Undoes a suspension. */
    reactivate: (id: string, input: ReactivateUserInput = {}, options?: CallOptions): Promise<User> =>
      transport.call(ROUTES.reactivateUser, { params: { id }, body: input }, options),

    /** What is set aside, and what for. */
    reservations: (id: string, query: ListReservationsQuery = {}, options?: CallOptions): List<Reservation> =>
      listing(transport, ROUTES.listReservations, { params: { id }, query, options }),

    /** One answer of it; `nextCursor` leads on. */
    statement,

    /** Every line of the range, oldest first, however many answers that takes. */
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

    /** The same as text for a spreadsheet. */
    statementCsv: (id: string, query: StatementQuery = {}, options?: CallOptions): Promise<string> =>
      transport.call(
        ROUTES.getStatement,
        { params: { id }, query: { ...query, format: 'csv' }, accept: 'text/csv' },
        options,
      ),
  };
};
