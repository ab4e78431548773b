// Routes of the sandbox: hand on to the twins' control what was asked, for things of the caller's own marketplace only. Where
// there are no twins, they refuse and say what to do.

import * as api from '@holdfast/contract/api/sandbox.ts';
import type { Static } from 'typebox';
import { DomainError } from '../../base/domain-error.ts';
import { act, type Route, read } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { OrderView } from '../orders/order-view.ts';
import { codesOf, presentPayin, presentPayout, presentSandbox, type ToldState } from './present.ts';
import type { SandboxOwners } from './queries.ts';

type ControlCall = { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly body?: unknown };

type ControlAnswer =
  | { readonly kind: 'yes'; readonly value: unknown }
  | { readonly kind: 'no' | 'unknown'; readonly reason: string };

type Parts = {
  /** Null where the outside systems are real. */
  readonly control: ((call: ControlCall) => Promise<ControlAnswer>) | null;
  readonly owners: SandboxOwners;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
  pollDeposits(): void;
};

type SandboxFault = Static<typeof api.SandboxFault>;
type FaultsTold = { readonly faults: SandboxFault[]; readonly operations: Record<string, string[]> };
type EventTold = { readonly eventId: string; readonly status: number | null; readonly answer: unknown };

const absent = ({ method, path }: ControlCall): DomainError =>
  new DomainError('ROUTE_NOT_FOUND', {
    message:
      'There is no sandbox: the outside systems are real. Start a server with SANDBOX=on and none of their addresses set.',
    details: { method, path: `/api/v1/sandbox${path}` },
  });

const isWelcome = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

const processedIn = (answer: unknown): boolean | null => {
  const processed = (answer as { processed?: unknown } | null)?.processed;
  return typeof processed === 'boolean' ? processed : null;
};

/** Where the milestone is in the contract; null when the event is about all of it. */
const placeOf = ({ milestones }: OrderView, ref: string | undefined): number | null => {
  if (ref === undefined) return null;
  const place = milestones.find((milestone) => milestone.ref === ref)?.place;
  if (place === undefined) throw new DomainError('MILESTONE_NOT_FOUND');
  return place;
};

export const sandboxRoutes = ({ control, owners, findOrder, pollDeposits }: Parts): Route[] => {
  const ask = async <T>(call: ControlCall): Promise<T> => {
    if (control === null) throw absent(call);
    const answer = await control(call);
    if (answer.kind === 'yes') return answer.value as T;
    if (answer.kind === 'no') throw validationError([answer.reason]);
    throw new DomainError('PROVIDER_TIMEOUT', { details: { provider: 'sandbox' } });
  };
  /** Before anything is looked up: without a sandbox nothing is missing but the sandbox. */
  const require = (path: string): void => {
    if (control === null) throw absent({ method: 'POST', path });
  };

  return [
    read(api.getSandboxState, async ({ context: { marketplaceId } }) => {
      const told = await ask<ToldState>({ method: 'GET', path: '/state' });
      const own = await owners.things({
        marketplaceId,
        topups: codesOf(told.payins),
        withdrawals: codesOf(told.payouts),
        orders: told.contracts.map(({ engagementId }) => engagementId),
        addresses: told.accounts.map(({ address }) => address),
      });
      return presentSandbox(told, own);
    }),
    read(api.listSandboxFaults, () => ask<FaultsTold>({ method: 'GET', path: '/faults' })),
    act(api.armSandboxFault, ({ body }) => ask<SandboxFault>({ method: 'POST', path: '/faults', body })),
    act(api.clearSandboxFaults, () => ask<{ faults: SandboxFault[] }>({ method: 'DELETE', path: '/faults' })),
    act(api.advanceSandboxClock, ({ body }) => ask<{ time: string }>({ method: 'POST', path: '/clock/advance', body })),
    act(api.paySandboxFaucet, async ({ body, context }) => {
      require('/faucet');
      if (!(await owners.receivesAt(context.marketplaceId, body.address))) {
        throw new DomainError('WALLET_NOT_FOUND', {
          message: 'No wallet and no escrow contract of this marketplace is there.',
        });
      }
      const { hash } = await ask<{ hash: string }>({ method: 'POST', path: '/faucet', body });
      // Whoever plays does not want to wait for the next round.
      pollDeposits();
      return { transactionHash: hash };
    }),
    act(api.decideSandboxPayin, async ({ params: { id, decision }, body, context }) => {
      require(`/payins/${id}/${decision}`);
      const topup = await owners.topup(context.marketplaceId, id);
      if (topup === null) throw new DomainError('TOPUP_NOT_FOUND');
      return presentPayin(await ask({ method: 'POST', path: `/payins/${topup}/${decision}`, body }));
    }),
    act(api.decideSandboxPayout, async ({ params: { id, decision }, body, context }) => {
      require(`/payouts/${id}/${decision}`);
      const withdrawal = await owners.withdrawal(context.marketplaceId, id);
      if (withdrawal === null) throw new DomainError('WITHDRAWAL_NOT_FOUND');
      return presentPayout(await ask({ method: 'POST', path: `/payouts/${withdrawal}/${decision}`, body }));
    }),
    act(api.sendSandboxEscrowEvent, async ({ body: { type, orderId, milestoneRef }, context }) => {
      require('/escrow-events');
      const view = await findOrder(context.marketplaceId, orderId);
      if (!view) throw new DomainError('ORDER_NOT_FOUND');
      const milestone = placeOf(view, milestoneRef);
      const telling = { type, orderId, ...(milestone === null ? {} : { milestone, milestoneRef }) };
      const told = await ask<EventTold>({ method: 'POST', path: '/escrow-events', body: telling });
      return {
        eventId: told.eventId,
        type,
        delivered: isWelcome(told.status),
        processed: processedIn(told.answer),
      };
    }),
  ];
};
