// Routes of operators: list, read, change, delete; invite-routes.ts has those that invite. Who may call them is in the contract.

import * as api from '@holdfast/contract/api/operators.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Context } from '../../commit/command.ts';
import type { Caller } from '../../http/caller.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import { changeOperator, deleteOperator } from './change-operator.ts';
import { type InviteParts, inviteRoutes, isEverywhereAllowed, WAITS } from './invite-routes.ts';
import { presentOperator } from './present.ts';
import type { ListedOperator } from './queries.ts';

type Asking = { readonly caller: Caller; readonly context: Context };

/** The addresses of others are personal data that a colleague does not need. */
const seesAddress = ({ type, keyId, scopes }: Caller, operatorId: string): boolean =>
  type === 'master' || scopes.includes('*') || (type === 'operator' && keyId === operatorId);

const shown = ({ passkeys, ...operator }: ListedOperator, { caller, context }: Asking) => {
  const record = presentOperator({ operator, passkeys }, context.marketplaceId);
  return seesAddress(caller, operator.id) ? record : { ...record, email: null };
};

export const operatorRoutes = (parts: InviteParts): Route[] => {
  const { reads } = parts;
  return [
    ...inviteRoutes(parts),
    list(api.listOperators, async ({ query, caller, context }) => {
      const page = await reads.list(pageRequest('operator', { query, context }));
      return { items: page.rows.map((row) => shown(row, { caller, context })), nextCursor: page.nextCursor };
    }),
    read(api.getOperator, async ({ params: { id }, caller, context }) => {
      const found = await reads.find(context.marketplaceId, id);
      if (!found) throw new DomainError('OPERATOR_NOT_FOUND');
      return shown(found, { caller, context });
    }),
    write(api.updateOperator, {
      command: changeOperator,
      input: ({ params: { id }, body: { disabled, ...changes }, caller }) => ({
        id,
        isEverywhereAllowed: isEverywhereAllowed(caller),
        changes: { ...changes, ...(disabled === undefined ? {} : { isDisabled: disabled }) },
      }),
      present: (changed, { context }) => presentOperator(changed, context.marketplaceId),
      // What takes rights away never waits.
      approval: {
        actions: ['api-key.create'],
        weighRequest: ({ body: { role = 'viewer', disabled } }) =>
          role === 'viewer' && disabled !== false ? null : WAITS,
      },
    }),
    write(api.deleteOperator, {
      command: deleteOperator,
      input: ({ params: { id }, caller }) => ({ id, isEverywhereAllowed: isEverywhereAllowed(caller) }),
      present: (changed, { context }) => presentOperator(changed, context.marketplaceId),
    }),
  ];
};
