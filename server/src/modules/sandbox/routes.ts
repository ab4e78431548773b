// Routes of the sandbox: they pass requests to the control interface of the simulators, only for records of the caller's marketplace.
// Without a sandbox they refuse and say what to do.

import * as api from '@holdfast/contract/api/sandbox.ts';
import type { Static } from 'typebox';
import type { Answer } from '../../base/answer.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Context } from '../../commit/command.ts';
import { act, type Route, read } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { OrderView } from '../orders/order.ts';
import type { ControlCall } from './control.ts';
import { type ControlState, codesOf, presentPayin, presentPayout, presentSandbox } from './present.ts';
import type { SandboxOwners } from './queries.ts';

type Parts = {
  /** Null where the outside systems are real. */
  readonly control: ((call: ControlCall) => Promise<Answer<unknown>>) | null;
  readonly owners: SandboxOwners;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
  pollDepositsAt(place: { marketplaceId: string; address: string }): void;
  /** Waits until the wallet at this address can receive payments. */
  activateAt(place: { marketplaceId: string; address: string }): Promise<void>;
  /** Waits until the payment provider has the commitment of a committed withdrawal, at most a few seconds. */
  untilHandedOver(context: Context, withdrawalId: string): Promise<void>;
};

type SandboxFault = Static<typeof api.SandboxFault>;
type FaultList = { readonly faults: SandboxFault[]; readonly operations: Record<string, string[]> };
type SentEvent = { readonly eventId: string; readonly status: number | null; readonly answer: unknown };

const noSandbox = ({ method, path }: ControlCall): DomainError =>
  new DomainError('ROUTE_NOT_FOUND', {
    message:
      'There is no sandbox: the outside systems are real. Start a server with SANDBOX=on and without the addresses of outside systems.',
    details: { method, path: `/api/v1/sandbox${path}` },
  });

const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

const processedIn = (answer: unknown): boolean | null => {
  const processed = (answer as { processed?: unknown } | null)?.processed;
  return typeof processed === 'boolean' ? processed : null;
};

/** The number of the milestone in the contract; null when the event is about the whole contract. */
const placeOf = ({ milestones }: OrderView, ref: string | undefined): number | null => {
  if (ref === undefined) return null;
  const place = milestones.find((milestone) => milestone.ref === ref)?.place;
  if (place === undefined) throw new DomainError('MILESTONE_NOT_FOUND');
  return place;
};

export const sandboxRoutes = ({ control, owners, findOrder, pollDepositsAt, ...waits }: Parts): Route[] => {
  const callControl = async <T>(call: ControlCall): Promise<T> => {
    if (control === null) throw noSandbox(call);
    const answer = await control(call);
    if (answer.kind === 'yes') return answer.value as T;
    if (answer.kind === 'no') throw validationError([answer.reason]);
    throw new DomainError('PROVIDER_TIMEOUT', { details: { provider: 'sandbox' } });
  };
  /** Called before a record is looked up: without a sandbox that is the only reason to report. */
  const requireSandbox = (path: string): void => {
    if (control === null) throw noSandbox({ method: 'POST', path });
  };

  return [
    read(api.getSandboxState, async ({ context: { marketplaceId } }) => {
      const state = await callControl<ControlState>({ method: 'GET', path: '/state' });
      const own = await owners.records({
        marketplaceId,
        topups: codesOf(state.payins),
        withdrawals: codesOf(state.payouts),
        orders: state.contracts.map(({ engagementId }) => engagementId),
        addresses: state.accounts.map(({ address }) => address),
      });
      return presentSandbox(state, own);
    }),
    read(api.listSandboxFaults, () => callControl<FaultList>({ method: 'GET', path: '/faults' })),
    act(api.armSandboxFault, ({ body }) => callControl<SandboxFault>({ method: 'POST', path: '/faults', body })),
    act(api.clearSandboxFaults, () => callControl<{ faults: SandboxFault[] }>({ method: 'DELETE', path: '/faults' })),
    act(api.advanceSandboxClock, ({ body }) =>
      callControl<{ time: string }>({ method: 'POST', path: '/clock/advance', body }),
    ),
    act(api.paySandboxFaucet, async ({ body, context }) => {
      requireSandbox('/faucet');
      if (!(await owners.receivesAt(context.marketplaceId, body.address))) {
        throw new DomainError('WALLET_NOT_FOUND', {
          message: 'No wallet and no escrow contract of this marketplace has this address.',
        });
      }
      const place = { marketplaceId: context.marketplaceId, address: body.address };
      await waits.activateAt(place);
      const { hash } = await callControl<{ hash: string }>({ method: 'POST', path: '/faucet', body });
      // The user of a sandbox should not have to wait for the next poll.
      pollDepositsAt(place);
      return { transactionHash: hash };
    }),
    act(api.decideSandboxPayin, async ({ params: { id, decision }, body, context }) => {
      requireSandbox(`/payins/${id}/${decision}`);
      const topup = await owners.topup(context.marketplaceId, id);
      if (topup === null) throw new DomainError('TOPUP_NOT_FOUND');
      return presentPayin(await callControl({ method: 'POST', path: `/payins/${topup}/${decision}`, body }));
    }),
    act(api.decideSandboxPayout, async ({ params: { id, decision }, body, context }) => {
      requireSandbox(`/payouts/${id}/${decision}`);
      const withdrawal = await owners.withdrawal(context.marketplaceId, id);
      if (withdrawal === null) throw new DomainError('WITHDRAWAL_NOT_FOUND');
      // A request that creates a committed withdrawal is answered before its payout is committed.
      await waits.untilHandedOver(context, withdrawal);
      return presentPayout(await callControl({ method: 'POST', path: `/payouts/${withdrawal}/${decision}`, body }));
    }),
    act(api.sendSandboxEscrowEvent, async ({ body: { type, orderId, milestoneRef }, context }) => {
      requireSandbox('/escrow-events');
      const view = await findOrder(context.marketplaceId, orderId);
      if (!view) throw new DomainError('ORDER_NOT_FOUND');
      if (!(await owners.hasEscrow(context.marketplaceId, orderId))) throw new DomainError('ESCROW_NOT_FOUND');
      const milestone = placeOf(view, milestoneRef);
      const event = { type, orderId, ...(milestone === null ? {} : { milestone, milestoneRef }) };
      const sent = await callControl<SentEvent>({ method: 'POST', path: '/escrow-events', body: event });
      return {
        eventId: sent.eventId,
        type,
        delivered: isAccepted(sent.status),
        processed: processedIn(sent.answer),
      };
    }),
  ];
};
