// Answers a request with `Dry-Run: true`: runs the commands of the route on a snapshot and shows what they would change. Neither reads nor
// uses up an Idempotency-Key. A refusal is the very refusal that the real request would get.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { DRY_RUN_HEADER, isChanging, whyNotPreviewed } from '@holdfast/contract/previews.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDomainError } from '../base/domain-error.ts';
import { isoNow } from '../base/instant.ts';
import type { Preview, PreviewChanges, Previews } from '../commit/preview/preview.ts';
import { send } from './answer-command.ts';
import { presentExact } from './checked-values.ts';
import { wrap } from './envelope.ts';
import { fail, sendError } from './error-reply.ts';
import type { AnyRouteRequest, Route } from './route.ts';
import { validationError } from './validation/messages.ts';

type Attempt = {
  readonly routeRequest: AnyRouteRequest;
  readonly reply: FastifyReply;
  readonly text: (envelope: unknown) => string;
};

/** What the real request would answer. */
type Answered = { readonly status: number; readonly data: unknown };

type PreviewWork = (routeRequest: AnyRouteRequest, preview: Preview) => Promise<Answered>;

/** Set before anything else, so that also a refused request says that it was a preview. */
export const markPreview = (request: FastifyRequest, reply: FastifyReply): void => {
  if (request.headers[DRY_RUN_HEADER] === 'true' && request.method !== 'GET') reply.header(DRY_RUN_HEADER, 'true');
};

/** Refuses a header that the route cannot honour: a request that asks for a preview must never be carried out. */
export const wantsPreview = (endpoint: Endpoint, request: FastifyRequest): boolean => {
  const header = request.headers[DRY_RUN_HEADER];
  if (header === undefined || !isChanging(endpoint)) return false;
  if (header !== 'true') throw validationError(['Dry-Run must be true. Leave the header out to carry the request out']);
  const reason = whyNotPreviewed(endpoint);
  if (reason === undefined) return true;
  throw validationError([`This route has no preview, and nothing was changed: ${reason}`]);
};

const workOf = (route: Route): PreviewWork | null => {
  const { endpoint } = route;
  if (route.kind === 'act') {
    const { preview: run } = route;
    if (!run) return null;
    return async (routeRequest, preview) => ({ status: endpoint.status, data: await run(routeRequest, preview) });
  }
  if (route.kind !== 'write') return null;
  const { command, present, status, preview: special } = route.parts;
  return async (routeRequest, preview) => {
    await special?.before?.(routeRequest, preview);
    const answered = await preview.run({ command, input: routeRequest.input });
    const reply = special?.finish ? await special.finish(preview, answered) : answered;
    preview.call(...(special?.calls?.(reply, routeRequest) ?? []));
    return { status: status?.(reply, routeRequest) ?? endpoint.status, data: present(reply, routeRequest) };
  };
};

/** Every changing route has a preview or a reason in the contract's list, so that a new route cannot be forgotten. */
export const requirePreviews = (routes: readonly Route[]): void => {
  for (const route of routes) {
    const { endpoint } = route;
    if (!isChanging(endpoint) || workOf(route) !== null || whyNotPreviewed(endpoint) !== undefined) continue;
    throw new Error(`${endpoint.method} ${endpoint.path} has neither a preview nor a reason in NOT_PREVIEWED`);
  }
};

/** Before a connection is taken: the input of a write may be slow to make. */
const prepared = async (route: Route, routeRequest: AnyRouteRequest): Promise<AnyRouteRequest> => {
  if (route.kind !== 'write') return routeRequest;
  const { context, input, preview } = route.parts;
  const here = context ? { ...routeRequest, context: context(routeRequest) } : routeRequest;
  return { ...here, input: await (preview?.input ?? input)(here) };
};

/** The record inside the envelope, with the fields that the schema names. */
const recordIn = (endpoint: Endpoint, text: string): unknown => {
  const { data } = JSON.parse(text) as { data: { data?: unknown } };
  return endpoint.wrapping === 'success' ? data.data : data;
};

/** Exact, so that a balance and its postings add up. */
const presentFigures = ({ available, reserved }: PreviewChanges['balances'][number]['before']) => ({
  available: presentExact(available),
  reserved: presentExact(reserved),
});

export const presentChanges = ({ postings, balances, events, calls }: PreviewChanges) => ({
  postings: postings.map((posting) => ({ ...posting, amount: presentExact(posting.amount) })),
  balances: balances.map(({ before, after, ...of }) => ({
    ...of,
    before: presentFigures(before),
    after: presentFigures(after),
  })),
  events: [...events],
  calls: [...calls],
});

/** What the commands of a request would answer and change. */
type PreviewedRequest = Answered & { readonly routeRequest: AnyRouteRequest; readonly changes: PreviewChanges };

type Then<Result> = (previewed: PreviewedRequest, preview: Preview) => Result | Promise<Result>;

/** Runs the commands of the route on a snapshot, and passes on what they would do. */
export const createRoutePreview = (route: Route, previews: Previews | undefined) => {
  const { endpoint } = route;
  const work = workOf(route);
  return async <Result>(given: AnyRouteRequest, then: Then<Result>): Promise<Result> => {
    if (!work || !previews) throw new Error(`${endpoint.method} ${endpoint.path} has no preview`);
    const routeRequest = await prepared(route, given);
    return previews.run(routeRequest.context, async (preview) => {
      const answered = await work(routeRequest, preview);
      return then({ ...answered, routeRequest, changes: await preview.takeChanges() }, preview);
    });
  };
};

type Inside = { readonly routeRequest: AnyRouteRequest; readonly preview: Preview };

/** The commands of the route as a part of another preview, in the name of its own requester. */
export const previewWork = async (route: Route, { routeRequest, preview }: Inside): Promise<Answered> => {
  const work = workOf(route);
  if (!work) throw new Error(`${route.endpoint.method} ${route.endpoint.path} has no preview`);
  const { context } = routeRequest;
  const inside: Preview = { ...preview, context, run: (previewed) => preview.run({ context, ...previewed }) };
  return work(await prepared(route, routeRequest), inside);
};

/** The answer of a request that would wait for approval, instead of its own; null when it would not wait. */
export type PreviewApproval = (previewed: PreviewedRequest, preview: Preview) => Promise<Answered | null>;

type PreviewParts = { readonly previews: Previews | undefined; readonly approval: PreviewApproval };

export const answerPreview = (route: Route, { previews, approval }: PreviewParts) => {
  const { endpoint } = route;
  const previewRoute = createRoutePreview(route, previews);

  const run = ({ routeRequest: given, text }: Attempt) =>
    previewRoute(given, async (previewed, preview) => {
      const { data, changes, routeRequest } = previewed;
      const { requestId } = routeRequest;
      const waiting = await approval(previewed, preview);
      const reply = waiting?.data ?? recordIn(endpoint, text(wrap(data, { wrapping: endpoint.wrapping, requestId })));
      const status = waiting?.status ?? previewed.status;
      return { data: { status, reply, ...presentChanges(changes) }, meta: { requestId, timestamp: isoNow() } };
    });

  return async (attempt: Attempt): Promise<void> => {
    try {
      send(attempt.reply, { status: 200, body: JSON.stringify(await run(attempt)) });
    } catch (error) {
      if (isDomainError(error) && error.status < 500) sendError(attempt.reply, error);
      else fail(attempt.reply, error);
    }
  };
};
