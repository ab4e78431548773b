// Routes of approvals and of their rules.

import * as api from '@holdfast/contract/api/approvals.ts';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { MoneyScope } from '@holdfast/contract/scopes.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Preview } from '../../commit/preview/preview.ts';
import { previewWork } from '../../http/answer-preview.ts';
import { type Caller, refusalOf } from '../../http/caller.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { act, list, type Route, read, write } from '../../http/route.ts';
import type { Approval, NamedActor } from './approval.ts';
import { type CarryOut, requestOf } from './carry-out.ts';
import { approveApproval, cancelApproval, rejectApproval } from './decide-approval.ts';
import { completeApproval } from './end-approval.ts';
import { type FindMakers, requireOwnCredentials } from './own-making.ts';
import { presentApproval } from './present.ts';
import type { ApprovalReads } from './queries.ts';
import { checkRules, setApprovalRules } from './rules.ts';

type Parts = {
  readonly submit: Submit;
  readonly reads: Pick<ApprovalReads, 'find' | 'list' | 'rulesOf'>;
  readonly carryOut: Pick<CarryOut, 'run'>;
  findRoute(request: { readonly method: string; readonly path: string }): Route | null;
  readonly findMakers: FindMakers;
  /** The scopes that `write` contains. */
  readonly writeIncludes: readonly MoneyScope[];
};

type Asking = { readonly params: { readonly id: string }; readonly caller: Caller; readonly context: Context };

const namedActor = ({ caller, context: { actor } }: Asking): NamedActor => ({ ...actor, name: caller.keyName });

/** A route of the master key, or of a key about itself, is decided on by every caller who may do everything in the marketplace. */
const decidedWith = ({ access, ...endpoint }: Endpoint): Pick<Endpoint, 'access' | 'moneyScope'> => ({
  ...endpoint,
  access: access === 'master' || access === 'public' || access === 'any' ? '*' : access,
});

const ruleRoutes = ({ reads }: Parts): Route[] => [
  write(api.setApprovalRules, {
    command: setApprovalRules,
    input({ body }) {
      checkRules(body);
      return body;
    },
    present: (rules) => [...rules],
    approval: {
      actions: ['approval-rules'],
      weighRequest: () => ({ action: 'approval-rules', amount: null, currency: null }),
    },
  }),
  list(api.listApprovalRules, async ({ context: { marketplaceId } }) => ({
    items: await reads.rulesOf(marketplaceId),
    nextCursor: null,
  })),
];

export const approvalRoutes = (parts: Parts): Route[] => {
  const { submit, reads, carryOut, findRoute, findMakers, writeIncludes } = parts;

  const get = async ({ marketplaceId }: Context, id: string): Promise<Approval> => {
    const approval = await reads.find(marketplaceId, id);
    if (!approval) throw new DomainError('APPROVAL_NOT_FOUND');
    return approval;
  };

  const show = async (context: Context, id: string) => presentApproval(await get(context, id));

  /** Refuses a caller that may not send such a request itself. */
  const deciding = async (asking: Asking) => {
    const { id: approvalId } = asking.params;
    const approval = await get(asking.context, approvalId);
    const route = findRoute(approval.request);
    const refusal = route && refusalOf(decidedWith(route.endpoint), { caller: asking.caller, writeIncludes });
    if (refusal) throw refusal;
    await requireOwnCredentials(findMakers, { approval, context: asking.context });
    return { approvalId, by: namedActor(asking) };
  };

  /** The approval, and the request behind it as if its outside calls had succeeded. */
  const previewApproval = async (asking: Asking, preview: Preview) => {
    const { marketplaceId } = asking.context;
    const approval = await preview.run({ command: approveApproval, input: await deciding(asking) });
    const { id: approvalId, request } = approval;
    const route = findRoute(request);
    if (!route) throw new Error(`the server has no route ${request.method} ${request.path}`);
    const { data } = await previewWork(route, { routeRequest: requestOf(approval, marketplaceId), preview });
    const result = route.approval?.shown ? route.approval.shown(data) : data;
    return presentApproval(await preview.run({ command: completeApproval, input: { approvalId, result } }));
  };

  return [
    ...ruleRoutes(parts),
    list(api.listApprovals, async ({ query, context }) => {
      const page = await reads.list(pageRequest('approval', { query, context }));
      return { items: page.rows.map(presentApproval), nextCursor: page.nextCursor };
    }),
    read(api.getApproval, ({ params: { id }, context }) => show(context, id)),
    act(api.approveApproval, {
      async answer(asking) {
        const { context } = asking;
        const input = await deciding(asking);
        await runCommand(submit, { command: approveApproval, input, context });
        await carryOut.run({ marketplaceId: context.marketplaceId, approvalId: input.approvalId });
        return show(context, input.approvalId);
      },
      preview: previewApproval,
    }),
    write(api.rejectApproval, {
      command: rejectApproval,
      input: async (asking) => ({ ...(await deciding(asking)), reason: asking.body?.reason ?? null }),
      present: presentApproval,
    }),
    write(api.cancelApproval, {
      command: cancelApproval,
      input: (asking) => ({ approvalId: asking.params.id, by: namedActor(asking) }),
      present: presentApproval,
    }),
  ];
};
