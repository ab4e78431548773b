// Routes that invite operators: a new one, and one that gets new credentials. The link is shown once; where a rule makes the request wait, the
// requester has the link at once and it works after the approval.

import * as api from '@holdfast/contract/api/operators.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Clock, parseInstant } from '../../base/instant.ts';
import { newId } from '../../base/ulid.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Caller } from '../../http/caller.ts';
import { type Route, write } from '../../http/route.ts';
import { inviteOperator } from './change-operator.ts';
import { type CreateOperatorInput, claimEmail, createOperator } from './create-operator.ts';
import { freshInvite, type Invite } from './invite-text.ts';
import { claimIdOf, emailKeyOf } from './operator.ts';
import { presentOperator } from './present.ts';
import type { OperatorReads } from './queries.ts';

export type InviteParts = {
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

export const isEverywhereAllowed = ({ type, isEverywhere }: Caller): boolean =>
  type === 'master' || isEverywhere === true;

const requireMaster = ({ type, scopes }: Caller): void => {
  if (type === 'master') return;
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message: 'Only the master key may make an operator of all marketplaces.',
    details: { requiredScope: 'master', scopes },
  });
};

type Asking = { readonly caller: Caller; readonly context: Context };

type Creating = Asking & {
  readonly body: Pick<CreateOperatorInput, 'email' | 'name' | 'role'> & { readonly everywhere?: boolean };
  readonly kept?: unknown;
};

type KeptInvite = { readonly id: string; readonly hash: string; readonly validMs: number };

/** The requester has the link at once; it works once the request is approved. Only its hash is kept. */
const keepInvite = (place: { marketplaceId: string; operatorId: string }, consoleUrl: string) => {
  const { hash, validMs, reveal } = freshInvite(place);
  const kept: KeptInvite = { id: place.operatorId, hash, validMs };
  return { kept, shown: { inviteUrl: inviteUrlOf(consoleUrl, reveal()) } };
};

const keptInvite = (kept: unknown): { id: string; invite: Invite } | null => {
  if (kept === undefined) return null;
  const { id, hash, validMs } = kept as KeptInvite;
  return { id, invite: { hash, validMs, reveal: () => '' } };
};

/** How rules see a request that gives a credential. */
export const WAITS = { action: 'api-key.create', amount: null, currency: null } as const;

const withoutLink = <Invited extends { inviteUrl: unknown }>({ inviteUrl: _, ...others }: Invited) => others;

const placeOf = ({ body, context }: { body: { everywhere?: boolean }; context: Context }): Context =>
  body.everywhere ? { ...context, marketplaceId: DEFAULT_MARKETPLACE } : context;

type Claiming = { readonly emailKey: string; readonly operatorId: string };

const createClaims = ({ reads, submit, clock }: InviteParts) => {
  /** The claim of the address that a new operator replaces, or null. Refuses when another operator has the address. */
  const replacedBy = async (of: Claiming): Promise<string | null> => {
    const known = await reads.findClaim(claimIdOf(of.emailKey));
    const state = known && (await reads.stateOf(known.operatorMarketplace, known.operatorId));
    const isOld = known !== null && (parseInstant(known.updatedAt) ?? 0) < clock() - ABANDONED_MICROS;
    // An approved request that is tried again has claimed the address itself.
    const isOwn = known?.operatorId === of.operatorId;
    const isFree = known !== null && (isOwn || state === 'deleted' || (state === null && isOld));
    if (known && !isFree) throw new DomainError('OPERATOR_EXISTS');
    return known?.operatorId ?? null;
  };

  const claim = async (context: Context, of: Claiming): Promise<void> => {
    await runCommand(submit, {
      command: claimEmail,
      input: { ...of, operatorMarketplace: context.marketplaceId, replaces: await replacedBy(of) },
      context: { ...context, marketplaceId: DEFAULT_MARKETPLACE },
    });
  };

  return { replacedBy, claim };
};

const createRoute = (parts: InviteParts): Route => {
  const { clock, consoleUrl } = parts;
  const { replacedBy, claim } = createClaims(parts);
  const freshId = (): string => newId('operator', Math.floor(clock() / 1_000));

  const inputOf = ({ body, caller, context, kept }: Creating): CreateOperatorInput => {
    const { email, name, role, everywhere: isEverywhere = false } = body;
    if (isEverywhere) requireMaster(caller);
    const { marketplaceId } = placeOf({ body, context });
    const id = freshId();
    const invited = keptInvite(kept) ?? { id, invite: freshInvite({ marketplaceId, operatorId: id }) };
    return { email: email.trim(), name, role, isEverywhere, ...invited };
  };

  return write(api.createOperator, {
    command: createOperator,
    context: placeOf,
    async input(creating) {
      const input = inputOf(creating);
      await claim(placeOf(creating), { emailKey: emailKeyOf(input.email), operatorId: input.id });
      return input;
    },
    preview: {
      // Without the claim: a request that waits does not hold the address.
      async input(creating) {
        const input = inputOf(creating);
        await replacedBy({ emailKey: emailKeyOf(input.email), operatorId: input.id });
        return input;
      },
    },
    present: (operator, { context, input: { invite } }) => ({
      ...presentOperator({ operator, passkeys: 0 }, context.marketplaceId),
      inviteUrl: inviteUrlOf(consoleUrl(), invite.reveal()),
    }),
    approval: {
      actions: ['api-key.create'],
      weighRequest: ({ body: { role, everywhere } }) => (role === 'viewer' && !everywhere ? null : WAITS),
      keepSecret: (creating) =>
        keepInvite({ marketplaceId: placeOf(creating).marketplaceId, operatorId: freshId() }, consoleUrl()),
      shown: withoutLink,
    },
  });
};

const inviteRoute = ({ consoleUrl }: InviteParts): Route =>
  write(api.inviteOperator, {
    command: inviteOperator,
    input: ({ params: { id }, caller, context: { marketplaceId }, kept }) => ({
      id,
      isEverywhereAllowed: isEverywhereAllowed(caller),
      invite: keptInvite(kept)?.invite ?? freshInvite({ marketplaceId, operatorId: id }),
    }),
    present: (changed, { context, input: { invite } }) => ({
      ...presentOperator(changed, context.marketplaceId),
      inviteUrl: inviteUrlOf(consoleUrl(), invite.reveal()),
    }),
    approval: {
      actions: ['api-key.create'],
      weighRequest: () => WAITS,
      keepSecret: ({ params: { id }, context: { marketplaceId } }) =>
        keepInvite({ marketplaceId, operatorId: id }, consoleUrl()),
      shown: withoutLink,
    },
  });

export const inviteRoutes = (parts: InviteParts): Route[] => [createRoute(parts), inviteRoute(parts)];
