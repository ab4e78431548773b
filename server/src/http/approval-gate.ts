// Lets a request wait for approval when a rule binds it. The request is previewed first, so a request that would be refused is refused, and
// never waits. Without a rule of the marketplace the request passes at the cost of a comparison.

import { APPROVABLE, whyNeverHeld } from '@holdfast/contract/approvable.ts';
import { isChanging } from '@holdfast/contract/previews.ts';
import type { FastifyReply } from 'fastify';
import { type DomainError, isDomainError } from '../base/domain-error.ts';
import { formatInstant, isoNow, systemClock } from '../base/instant.ts';
import type { Context, ReplayGuard, StoredAnswer } from '../commit/command.ts';
import { keepAnswer } from '../commit/stored-answers.ts';
import { claimPlace, send, sendAgain, type Writing } from './answer-command.ts';
import { createRoutePreview, type PreviewApproval } from './answer-preview.ts';
import { type ApprovalGate, type HeldRequest, placeOf, type Weighed } from './approval-terms.ts';
import { errorBody, fail, sendError } from './error-reply.ts';
import { fingerprintOf, idempotencyKeyOf, isStorable, keyHashOf, seal, unseal } from './idempotency.ts';
import type { AnyRouteRequest, Entered, Handler, Route } from './route.ts';

const WAITING_STATUS = 202;

/** Every changing route declares its approval or has a reason in the contract's list, so that a new route cannot bypass the rules. */
export const requireApprovals = (routes: readonly Route[]): void => {
  for (const { endpoint, approval } of routes) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const listed = APPROVABLE[name]?.join() ?? '';
    if (listed !== (approval?.actions.join() ?? '')) throw new Error(`${name} and APPROVABLE name different actions`);
    if (!isChanging(endpoint) || approval || whyNeverHeld(endpoint) !== undefined) continue;
    throw new Error(`${name} neither declares its approval nor has a reason in the list of the contract`);
  }
};

/** Where the command of the request acts. */
const contextFor = (route: Route, routeRequest: AnyRouteRequest): Context =>
  (route.kind === 'write' ? route.parts.context?.(routeRequest) : undefined) ?? routeRequest.context;

type Holding = {
  readonly routeRequest: AnyRouteRequest;
  readonly weighed: Weighed;
  readonly kept?: unknown;
  readonly once?: boolean;
};

const heldRequest = ({ endpoint }: Route, { routeRequest, ...holding }: Holding): HeldRequest => ({
  ...holding.weighed,
  method: endpoint.method,
  path: endpoint.path,
  params: routeRequest.params,
  query: routeRequest.query,
  body: holding.weighed.body ?? routeRequest.body ?? null,
  kept: holding.kept ?? null,
  caller: routeRequest.caller,
  once: holding.once ?? false,
});

type Parts = Pick<Writing, 'previews'> & { readonly gate: ApprovalGate };

/** What the request would do, when a rule binds it; null when none does. Refuses what the request itself would be refused for. */
const createWeighing = (route: Route, { previews, gate }: Parts) => {
  const terms = route.approval!;
  const previewRoute = createRoutePreview(route, previews);
  return async (routeRequest: AnyRouteRequest): Promise<Weighed | null> => {
    const place = placeOf(contextFor(route, routeRequest), routeRequest.caller);
    const early = terms.weighRequest ? terms.weighRequest(routeRequest) : undefined;
    if (early === null || (early && !(await gate.binds(place, early)))) return null;
    if (terms.refuse) throw terms.refuse();
    return previewRoute(routeRequest, async (previewed) => {
      const weighed = early ?? terms.weighPreview?.(previewed) ?? null;
      return weighed !== null && (await gate.binds(place, weighed)) ? weighed : null;
    });
  };
};

/** For requests that arrive on another surface: stores the request if a rule binds it, and returns its approval. */
export const createHold = (route: Route, { submit, previews, gate }: Parts & Pick<Writing, 'submit'>) => {
  const weigh = createWeighing(route, { gate, ...(previews ? { previews } : {}) });
  const { actions } = route.approval!;
  return async (routeRequest: AnyRouteRequest): Promise<unknown> => {
    const context = contextFor(route, routeRequest);
    if (!(await gate.mayBind({ ...placeOf(context, routeRequest.caller), actions }))) return null;
    const weighed = await weigh(routeRequest);
    if (weighed === null) return null;
    const outcome = await submit({
      command: gate.hold,
      input: heldRequest(route, { routeRequest, weighed, once: true }),
      context,
    });
    return outcome.kind === 'reply' ? outcome.reply : null;
  };
};

/** The answer that a request with this Idempotency-Key gets, and where it is kept. */
type Keyed = { readonly idempotencyKey: string; readonly keyHash: Buffer; readonly fingerprint: Buffer };

const sealingOf = ({ idempotencyKey, keyHash }: Keyed) => ({ idempotencyKey: idempotencyKey.toLowerCase(), keyHash });

/** How the answers of the route are stored under an Idempotency-Key, and repeated. */
const createKeeping = (route: Route, writing: Writing) => {
  const { endpoint, retentionHours = writing.retentionHours } = route;
  const { submit, watch } = writing;

  const keyedBy = (routeRequest: AnyRouteRequest, reply: FastifyReply): Keyed | null => {
    const header = endpoint.idempotent ? reply.request.headers['idempotency-key'] : undefined;
    const idempotencyKey = idempotencyKeyOf(header);
    if (idempotencyKey === null) return null;
    const keyHash = keyHashOf(endpoint, { routeRequest, idempotencyKey });
    return { idempotencyKey, keyHash, fingerprint: fingerprintOf(endpoint, routeRequest) };
  };

  const guardOf = <Reply>(keyed: Keyed, answerOf: (reply: Reply) => StoredAnswer): ReplayGuard<Reply> => {
    const { keyHash, fingerprint } = keyed;
    const render: ReplayGuard<Reply>['render'] = (result) => {
      if ('error' in result) return null;
      const answer = answerOf(result.reply);
      return endpoint.secretAnswer ? { ...answer, body: seal(answer.body, sealingOf(keyed)) } : answer;
    };
    return { keyHash, fingerprint, retentionHours, render };
  };

  /** A repeat of the request gets the same refusal, as it would without rules. */
  const keepRefusal = async (error: DomainError, { keyed, context }: { keyed: Keyed; context: Context }) => {
    const refused = { status: error.status, body: errorBody(error, context.requestId) };
    await submit({ command: keepAnswer, input: refused, context, guard: guardOf(keyed, () => refused) });
  };

  const repeat = (reply: FastifyReply, { answer, keyed }: { answer: StoredAnswer; keyed: Keyed }): void => {
    const body = endpoint.secretAnswer ? unseal(answer.body, sealingOf(keyed)) : answer.body;
    sendAgain(reply, { answer: { ...answer, body }, watch });
  };

  const isElsewhere = route.kind === 'write' && route.parts.context !== undefined;
  /** Where the command acts in another marketplace, the key belongs to that marketplace from now on. */
  const claim = async (routeRequest: AnyRouteRequest, { keyHash }: Keyed): Promise<void> => {
    if (isElsewhere) await claimPlace(writing, { endpoint, routeRequest, keyHash });
  };

  return { keyedBy, guardOf, keepRefusal, repeat, claim };
};

const createHolding = (route: Route, writing: Writing & { readonly gate: ApprovalGate }) => {
  const { gate, submit, findAnswer } = writing;
  const weigh = createWeighing(route, writing);
  const { keyedBy, guardOf, keepRefusal, repeat, claim } = createKeeping(route, writing);

  /** False: the request does not wait, and is carried out. */
  const hold = async ({ routeRequest, reply }: Entered, keyed: Keyed | null): Promise<boolean> => {
    const context = contextFor(route, routeRequest);
    const here = { ...routeRequest, context };
    const { marketplaceId } = context;
    const now = formatInstant(systemClock());
    const earlier = keyed && (await findAnswer({ ...keyed, marketplaceId, now }));
    if (earlier) {
      await claim(here, keyed);
      // The route would look again, at a later time: an answer that expires in between would not hold the request any more.
      repeat(reply, { answer: earlier, keyed });
      return true;
    }
    const weighed = await weigh(routeRequest).catch(async (error: unknown) => {
      if (keyed && isDomainError(error) && isStorable(error)) await keepRefusal(error, { keyed, context });
      throw error;
    });
    if (weighed === null) return false;
    const secret = route.approval!.keepSecret?.(routeRequest);
    // Made once: the stored answer is the one that is sent.
    const meta = { requestId: routeRequest.requestId, timestamp: isoNow() };
    const answerOf = (approval: unknown): StoredAnswer => ({
      status: WAITING_STATUS,
      body: JSON.stringify({ data: { approval: gate.present(approval), ...secret?.shown }, meta }),
    });
    if (keyed) await claim(here, keyed);
    const outcome = await submit({
      command: gate.hold,
      input: heldRequest(route, { routeRequest, weighed, kept: secret?.kept }),
      context,
      ...(keyed ? { guard: guardOf(keyed, answerOf) } : {}),
    });
    // A replay: another process has answered the same key in the meantime.
    if (outcome.kind === 'replay') repeat(reply, { answer: outcome.answer, keyed: keyed! });
    else send(reply, answerOf(outcome.reply));
    return true;
  };

  return { keyedBy, hold };
};

type Answering = { readonly writing: Writing; readonly carryOut: Handler };

export const answerOrHold = (route: Route, { writing, carryOut }: Answering): Handler => {
  const gate = writing.approvals;
  const terms = route.approval;
  if (!gate || !terms) return carryOut;
  const { keyedBy, hold } = createHolding(route, { ...writing, gate });
  const { actions } = terms;

  const holdOnce = async (entered: Entered): Promise<boolean> => {
    const keyed = keyedBy(entered.routeRequest, entered.reply);
    if (keyed) entered.reply.header('x-idempotency-key', keyed.idempotencyKey);
    const leave = keyed ? writing.inFlight.enter(keyed.keyHash) : () => {};
    try {
      return await hold(entered, keyed);
    } finally {
      leave();
    }
  };

  const answer = async (entered: Entered, mayBind: Promise<boolean>): Promise<void> => {
    try {
      if ((await mayBind) && (await holdOnce(entered))) return;
    } catch (error) {
      if (isDomainError(error) && error.status < 500) sendError(entered.reply, error);
      else fail(entered.reply, error);
      return;
    }
    carryOut(entered);
  };

  return (entered) => {
    const { routeRequest } = entered;
    const place = placeOf(contextFor(route, routeRequest), routeRequest.caller);
    const mayBind = gate.mayBind({ ...place, actions });
    if (mayBind === false) carryOut(entered);
    else void answer(entered, Promise.resolve(mayBind));
  };
};

/** A preview of a request that would wait has the status 202 and the approval as its reply. */
export const previewHold = (route: Route, { approvals: gate }: Writing): PreviewApproval => {
  const terms = route.approval;
  if (!gate || !terms) return async () => null;
  return async (previewed, preview) => {
    const { routeRequest } = previewed;
    const place = placeOf(routeRequest.context, routeRequest.caller);
    const weighed = terms.weighRequest ? terms.weighRequest(routeRequest) : (terms.weighPreview?.(previewed) ?? null);
    if (weighed === null || !(await gate.binds(place, weighed))) return null;
    const held = await preview.run({ command: gate.hold, input: heldRequest(route, { routeRequest, weighed }) });
    return { status: WAITING_STATUS, data: { approval: gate.present(held) } };
  };
};
