// Carries approved requests out: runs the handler of the route in the name of the requester, with the approver in the audit trail. What a
// crash or a silent outside system left open is continued by any server, and a request never has its effect twice.

import { type DomainError, isDomainError } from '../../base/domain-error.ts';
import { type Clock, parseInstant } from '../../base/instant.ts';
import { createSingleFlight } from '../../base/one-at-a-time.ts';
import { createRetryTimers } from '../../base/retry-timers.ts';
import { ulid } from '../../base/ulid.ts';
import { within } from '../../base/wait.ts';
import { type Alongside, type Command, type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { FindOutcome } from '../../http/approval-terms.ts';
import type { AnyRouteRequest, Route } from '../../http/route.ts';
import type { Approval, ApprovalFailure, ApprovalPlace } from './approval.ts';
import { beginsAlongside, completeApproval, endsAlongside, failApproval } from './end-approval.ts';
import type { ApprovalReads } from './queries.ts';

type Options = {
  readonly submit: Submit;
  readonly reads: Pick<ApprovalReads, 'find' | 'listToResume' | 'listOpen'>;
  /** The route of a stored request. */
  findRoute(request: { readonly method: string; readonly path: string }): Route | null;
  readonly outcomeOf: FindOutcome;
  /** The clock that deadlines follow. */
  readonly deadlineClock: Clock;
  onTrouble(message: string, error: unknown): void;
};

const BACK_OFF = { firstMs: 200, maxMs: 30_000 };
const RESUME_MAX = 200;
const CLOSE_WAIT_MS = 5_000;

/** Another attempt may succeed without a change of the state. */
const PASSING_STATUSES = [429];

const isFinal = (error: unknown): error is DomainError =>
  isDomainError(error) && error.status < 500 && !PASSING_STATUSES.includes(error.status);

const failureOf = ({ code, message, details }: DomainError): ApprovalFailure => ({ code, message, details });

const markOf = ({ id, decidedBy }: Approval) => ({ id, approvedBy: decidedBy! });

/** The request as its route gets it, in the name of the requester. */
export const requestOf = (approval: Approval, marketplaceId: string): AnyRouteRequest => {
  const { request, requestedBy, id } = approval;
  const { type, id: actorId } = requestedBy;
  const context: Context = {
    marketplaceId,
    actor: { type, id: actorId },
    requestId: id,
    ...(approval.decidedBy ? { approval: markOf(approval) } : {}),
  };
  return {
    params: request.params as Record<never, never>,
    query: request.query as Record<never, never>,
    body: (request.body ?? undefined) as Record<never, never>,
    caller: { ...request.caller, marketplaceId },
    requestId: id,
    requestKey: id,
    context,
    input: undefined,
    kept: request.kept ?? undefined,
  };
};

const shownBy = ({ approval: terms }: Route, data: unknown): unknown => (terms?.shown ? terms.shown(data) : data);

type Run = { readonly route: Route; readonly routeRequest: AnyRouteRequest; readonly approval: Approval };

const newRun = ({ routeRequest, approval }: Pick<Run, 'routeRequest' | 'approval'>) => ({
  marketplaceId: routeRequest.context.marketplaceId,
  approvalId: approval.id,
  runId: ulid(Date.now()),
});

/** One command: the approval ends in its commit. An answer that the approver did not agree to refuses the command. */
const runWrite = async (submit: Submit, { route, routeRequest, approval }: Run): Promise<void> => {
  if (route.kind !== 'write') throw new Error(`${route.endpoint.path} is not one command`);
  const { parts } = route;
  const input = await parts.input(routeRequest);
  const entered = { ...routeRequest, input };
  const resultOf = (reply: unknown): unknown => {
    const data = parts.present(reply, entered);
    route.approval?.confirm?.({ data, approved: approval });
    return shownBy(route, data);
  };
  const alongside: Alongside = endsAlongside(newRun({ routeRequest, approval }), resultOf);
  await submit({ command: parts.command, input, context: { ...routeRequest.context, alongside } });
};

/** More than one command: the first one begins it, and its end is stored afterwards. */
const runAct = ({ route, routeRequest, approval }: Run): Promise<unknown> => {
  if (route.kind !== 'act') throw new Error(`${route.endpoint.path} cannot wait for approval`);
  const alongside = beginsAlongside(newRun({ routeRequest, approval }));
  return Promise.resolve(route.answer({ ...routeRequest, context: { ...routeRequest.context, alongside } }));
};

type End = <Input>(ending: { command: Command<Input, Approval>; input: Input }) => Promise<unknown>;

type Found = { readonly approval: Approval; readonly route: Route; readonly routeRequest: AnyRouteRequest };

/** An attempt says whether the request has ended. */
const createAttempt = (options: Options) => {
  const { submit, reads, findRoute, outcomeOf, deadlineClock } = options;

  const open = async ({ marketplaceId, approvalId }: ApprovalPlace): Promise<Found | null> => {
    const approval = await reads.find(marketplaceId, approvalId);
    if (approval?.status !== 'APPROVING') return null;
    const route = findRoute(approval.request);
    if (!route) throw new Error(`the server has no route ${approval.request.method} ${approval.request.path}`);
    return { approval, route, routeRequest: requestOf(approval, marketplaceId) };
  };

  /** The request began: its operation decides, and nothing is begun again. */
  const followUp = async ({ approval, route, routeRequest }: Found, end: End): Promise<boolean> => {
    const { id: approvalId, effectId } = approval;
    const { marketplaceId } = routeRequest.context;
    const outcome = effectId === null ? { kind: 'done' as const } : await outcomeOf(marketplaceId, effectId);
    if (outcome.kind === 'running') return false;
    if (outcome.kind === 'failed') {
      const error = { code: 'INTERNAL_ERROR', message: outcome.reason, details: { effectId } };
      await end({ command: failApproval, input: { approvalId, error, unlessBegun: false } });
      return true;
    }
    const result = shownBy(route, await route.approval!.current!(routeRequest));
    await end({ command: completeApproval, input: { approvalId, result } });
    return true;
  };

  const begin = async (found: Found, end: End): Promise<boolean> => {
    const { route, routeRequest, approval } = found;
    const run = { route, routeRequest, approval };
    if (route.kind === 'write') {
      await runWrite(submit, run);
      return true;
    }
    const result = shownBy(route, await runAct(run));
    await end({ command: completeApproval, input: { approvalId: approval.id, result } });
    return true;
  };

  /** Nothing was begun. After its time, a request that still cannot be carried out fails. */
  const refuse = async ({ approval }: Found, { error, end }: { error: unknown; end: End }): Promise<boolean> => {
    const isLate = (parseInstant(approval.expiresAt) ?? 0) <= deadlineClock();
    if (!isFinal(error) && !(isLate && isDomainError(error))) throw error;
    await end({
      command: failApproval,
      input: { approvalId: approval.id, error: failureOf(error), unlessBegun: true },
    });
    return true;
  };

  return async (place: ApprovalPlace): Promise<boolean> => {
    const found = await open(place);
    if (!found) return true;
    const { alongside: _, ...context } = found.routeRequest.context;
    const end: End = (ending) => runCommand(submit, { ...ending, context });
    if (found.approval.begunBy !== null) return followUp(found, end);
    try {
      return await begin(found, end);
    } catch (error) {
      const now = await open(place);
      if (!now) return true;
      return now.approval.begunBy === null ? refuse(now, { error, end }) : followUp(now, end);
    }
  };
};

export const createCarryOut = (options: Options) => {
  const { reads, onTrouble } = options;
  const attempt = createAttempt(options);
  const flights = createSingleFlight<void>();
  const timers = createRetryTimers<ApprovalPlace>({
    backOff: BACK_OFF,
    keyOf: ({ approvalId }) => approvalId,
    run: (place) => run(place),
  });

  const work = async (place: ApprovalPlace): Promise<void> => {
    const hasEnded = await attempt(place).catch((error: unknown) => {
      onTrouble('an approved request could not be carried out yet and will be tried again', error);
      return false;
    });
    if (hasEnded) timers.clear(place);
    else timers.retryLater(place);
  };

  /** Resolves after one attempt; the next ones follow in the background. Never rejects. */
  const run = (place: ApprovalPlace): Promise<void> => flights.run(place.approvalId, () => work(place));

  return {
    run,
    /** Those that a crash or another server left open. */
    async resumeDue(): Promise<void> {
      await Promise.all((await reads.listToResume(RESUME_MAX)).map(run));
    },
    /** After a start of the server. Another server may be at work on some: the row lets only one of them begin a request. */
    async resumeAll(): Promise<void> {
      await Promise.all((await reads.listOpen(RESUME_MAX)).map(run));
    },
    async close(): Promise<void> {
      timers.close();
      await within(flights.allEnded(), { ms: CLOSE_WAIT_MS, late: () => {} });
    },
  };
};

export type CarryOut = ReturnType<typeof createCarryOut>;
