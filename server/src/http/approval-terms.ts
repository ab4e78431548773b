// The terms under which a request may have to wait for the approval of another actor: what a route declares, and what the HTTP layer needs
// of the module that knows the rules.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { ApprovalAction } from '@holdfast/contract/states.ts';
import type { DomainError } from '../base/domain-error.ts';
import type { Amount } from '../books/money.ts';
import type { Command, Context } from '../commit/command.ts';
import type { PreviewChanges } from '../commit/preview/preview.ts';
import type { Caller } from './caller.ts';
import type { AnyRouteRequest } from './route.ts';

/** What a request would do, as rules see it. */
export type Weighed = {
  readonly action: ApprovalAction;
  /** Null: the action has no amount. */
  readonly amount: Amount | null;
  readonly currency: Currency | null;
  readonly orderId?: string | null;
  readonly userId?: string | null;
  /** The body to store, where the preview has filled in what the approver has to see. Without it, the body of the request is stored. */
  readonly body?: unknown;
};

/** What a request keeps of a secret until it is approved, and what its requester is shown at once. */
type KeptSecret = { readonly kept: unknown; readonly shown: Readonly<Record<string, string>> };

export type ApprovalTerms<Request, Data> = {
  /** All actions that a request of the route can be. */
  readonly actions: readonly ApprovalAction[];
  /** Where the request itself says what it would do. Null: rules are not about it. */
  weighRequest?(routeRequest: Request): Weighed | null;
  /** Where only the preview says it. Every route has one of the two. */
  weighPreview?(previewed: {
    readonly routeRequest: Request;
    readonly data: Data;
    readonly changes: PreviewChanges;
  }): Weighed | null;
  /** Only for a route of one command whose amount may change while the request waits: refuses what the approver did not see. */
  confirm?(ended: { readonly data: Data; readonly approved: Pick<Weighed, 'amount' | 'currency'> }): void;
  /** The answer as it is stored now: for a request that began, and whose server has stopped. */
  current?(routeRequest: Request): Promise<Data>;
  /** Only when the answer contains a new secret. */
  keepSecret?(routeRequest: Request): KeptSecret;
  /** Only where a request cannot wait: what a request that a rule binds is refused with. */
  refuse?(): DomainError;
  /** What the approval shows of the answer; without it, all. */
  shown?(data: Data): unknown;
};

export type AnyApprovalTerms = ApprovalTerms<AnyRouteRequest, unknown>;

/** A request that will wait, as the command stores it. */
export type HeldRequest = Weighed & {
  readonly method: string;
  /** As the endpoint has it, with names of parameters. */
  readonly path: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly kept: unknown;
  readonly caller: Caller;
  /** A second request of the same caller about the same order gets the first approval. */
  readonly once: boolean;
};

/** What became of the operation or the withdrawal that an approved request has begun. */
export type EffectOutcome =
  | { readonly kind: 'running' | 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

export type FindOutcome = (marketplaceId: string, effectId: string) => Promise<EffectOutcome>;

type Asked = { readonly marketplaceId: string; readonly caller: Caller };

/** What the HTTP layer needs of the rules. */
export type ApprovalGate = {
  /** Whether a rule of the marketplace is about one of the actions. Without a promise when the rules are in memory. */
  mayBind(asked: Asked & { readonly actions: readonly ApprovalAction[] }): boolean | Promise<boolean>;
  binds(asked: Asked, weighed: Weighed): boolean | Promise<boolean>;
  /** Stores the request. Its reply is the approval. */
  readonly hold: Command<HeldRequest, unknown>;
  present(approval: unknown): unknown;
};

/** Where the request acts. */
export const placeOf = (context: Context, caller: Caller): Asked => ({ marketplaceId: context.marketplaceId, caller });
