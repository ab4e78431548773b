// Routes of operators: invite, list, read, change, delete. Who may call them is in the contract.

import * as api from '@holdfast/contract/api/operators.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Clock, parseInstant } from '../../base/instant.ts';
import { newId } from '../../base/ulid.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Caller } from '../../http/caller.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import { changeOperator, deleteOperator, inviteOperator } from './change-operator.ts';
import { claimEmail, createOperator } from './create-operator.ts';
import { freshInvite } from './invite-text.ts';
import { claimIdOf, emailKeyOf } from './operator.ts';
import { presentOperator } from './present.ts';
import type { ListedOperator, OperatorReads } from './queries.ts';

type Parts = {
  readonly reads: OperatorReads;
  readonly submit: Submit;
  readonly clock: Clock;
  /** The address at which people open the console. */
  consoleUrl(): string;
};

/** The page of the console that accepts an invitation. The text is behind the #, so that no server and no log sees it. */
export const inviteUrlOf = (consoleUrl: string, text: string): string => `${consoleUrl}/join#${text}`;

/** An operator that was claimed but never created may be replaced after this time. */
const ABANDONED_MICROS = 60_000_000;

const isEverywhereAllowed = ({ type, isEverywhere }: Caller): boolean => type === 'master' || isEverywhere === true;

const requireMaster = ({ type, scopes }: Caller): void => {
  if (type === 'master') return;
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message: 'Only the master key may make an operator of all marketplaces.',
    details: { requiredScope: 'master', scopes },
  });
};

type Asking = { readonly caller: Caller; readonly context: Context };

/** The addresses of others are personal data that a colleague does not need. */
const seesAddress = ({ type, keyId, scopes }: Caller, operatorId: string): boolean =>
  type === 'master' || scopes.includes('*') || (type === 'operator' && keyId === operatorId);

const shown = ({ passkeys, ...operator }: ListedOperator, { caller, context }: Asking) => {
  const record = presentOperator({ operator, passkeys }, context.marketplaceId);
  return seesAddress(caller, operator.id) ? record : { ...record, email: null };
};

export const operatorRoutes = ({ reads, submit, clock, consoleUrl }: Parts): Route[] => {
  /** Refuses when another operator has the address. */
  const claim = async (context: Context, of: { emailKey: string; operatorId: string }): Promise<void> => {
    const known = await reads.findClaim(claimIdOf(of.emailKey));
    const state = known && (await reads.stateOf(known.operatorMarketplace, known.operatorId));
    const isOld = known !== null && (parseInstant(known.updatedAt) ?? 0) < clock() - ABANDONED_MICROS;
    const isFree = known !== null && (state === 'deleted' || (state === null && isOld));
    await runCommand(submit, {
      command: claimEmail,
      input: { ...of, operatorMarketplace: context.marketplaceId, replaces: isFree ? known.operatorId : null },
      context: { ...context, marketplaceId: DEFAULT_MARKETPLACE },
    });
  };

  const placeOf = ({ body, context }: { body: { everywhere?: boolean }; context: Context }): Context =>
    body.everywhere ? { ...context, marketplaceId: DEFAULT_MARKETPLACE } : context;

  const invites = [
    write(api.createOperator, {
      command: createOperator,
      context: placeOf,
      async input({ body, caller, context }) {
        const { email, name, role, everywhere: isEverywhere = false } = body;
        if (isEverywhere) requireMaster(caller);
        const place = placeOf({ body, context });
        const id = newId('operator', Math.floor(clock() / 1_000));
        await claim(place, { emailKey: emailKeyOf(email), operatorId: id });
        const invite = freshInvite({ marketplaceId: place.marketplaceId, operatorId: id });
        return { id, email: email.trim(), name, role, isEverywhere, invite };
      },
      present: (operator, { context, input: { invite } }) => ({
        ...presentOperator({ operator, passkeys: 0 }, context.marketplaceId),
        inviteUrl: inviteUrlOf(consoleUrl(), invite.reveal()),
      }),
    }),
    write(api.inviteOperator, {
      command: inviteOperator,
      input: ({ params: { id }, caller, context: { marketplaceId } }) => ({
        id,
        isEverywhereAllowed: isEverywhereAllowed(caller),
        invite: freshInvite({ marketplaceId, operatorId: id }),
      }),
      present: (changed, { context, input: { invite } }) => ({
        ...presentOperator(changed, context.marketplaceId),
        inviteUrl: inviteUrlOf(consoleUrl(), invite.reveal()),
      }),
    }),
  ];

  return [
    ...invites,
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
    }),
    write(api.deleteOperator, {
      command: deleteOperator,
      input: ({ params: { id }, caller }) => ({ id, isEverywhereAllowed: isEverywhereAllowed(caller) }),
      present: (changed, { context }) => presentOperator(changed, context.marketplaceId),
    }),
  ];
};
