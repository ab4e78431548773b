// Wires approvals: rules in memory, the gate of the HTTP layer, the routes, what carries requests out, the timer that expires them, and the
// job that continues what a server left. It decides nothing.

import type { MoneyScope } from '@holdfast/contract/scopes.ts';
import type pg from 'pg';
import type { Clock } from '../../base/instant.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { Previews } from '../../commit/preview/preview.ts';
import type { ReactionHandlers } from '../../commit/reactions.ts';
import { createHold } from '../../http/approval-gate.ts';
import type { ApprovalGate, FindOutcome } from '../../http/approval-terms.ts';
import type { AnyRouteRequest, Route } from '../../http/route.ts';
import { createDueTimer } from '../../jobs/due-timer.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { Notifier } from '../../postgres/notifier.ts';
import type { Approval } from './approval.ts';
import { createCarryOut } from './carry-out.ts';
import { expireApproval } from './decide-approval.ts';
import { createMakerReads } from './own-making.ts';
import { presentApproval } from './present.ts';
import { createApprovalReads, type DueApproval } from './queries.ts';
import { requestApproval } from './request-approval.ts';
import { approvalRoutes } from './routes.ts';
import { createRuleCache, type RuleCache } from './rule-cache.ts';
import { type ApprovalRule, bindsRequest, isFor } from './rules.ts';

type Options = {
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly core: {
    readonly previews: Previews;
    readonly notifier: Pick<Notifier, 'on' | 'onGap' | 'notify'>;
    readonly clock: Clock;
    /** The clock that deadlines follow. */
    readonly deadlineClock: Clock;
  };
  readonly config: { readonly approvals: { readonly expiresMs: number }; readonly keys: KeyConfig };
  readonly outcomeOf: FindOutcome;
  onTrouble(message: string, error: unknown): void;
};

type KeyConfig = { readonly writeIncludes: readonly MoneyScope[] };

const CHANNEL = 'holdfast_approval_rules';

const gateOf = (rules: RuleCache, hold: ApprovalGate['hold']): ApprovalGate => {
  const either = <Result>(
    marketplaceId: string,
    then: (found: readonly ApprovalRule[]) => Result,
  ): Result | Promise<Result> => {
    const found = rules.rulesOf(marketplaceId);
    return found instanceof Promise ? found.then(then) : then(found);
  };
  return {
    mayBind: ({ marketplaceId, caller, actions }) =>
      either(marketplaceId, (found) => found.some((rule) => actions.includes(rule.action) && isFor(rule, caller))),
    binds: ({ marketplaceId, caller }, weighed) =>
      either(marketplaceId, (found) => found.some((rule) => isFor(rule, caller) && bindsRequest(rule, weighed))),
    hold,
    present: (approval) => presentApproval(approval as Approval),
  };
};

const expiring =
  (submit: Submit) =>
  async ({ marketplaceId, id }: DueApproval): Promise<void> => {
    const context = { marketplaceId, actor: { type: 'system' as const, id: 'approvals' }, requestId: id };
    await runCommand(submit, { command: expireApproval, input: { approvalId: id }, context });
  };

export const wireApprovals = (options: Options) => {
  const { pool, submit, reactions, config, onTrouble } = options;
  const { previews, notifier, clock, deadlineClock } = options.core;
  const reads = createApprovalReads(pool);
  const rules = createRuleCache({ find: reads.rulesOf, clock });
  reactions.on('approval-rules-changed', (_, { marketplaceId }) => notifier.notify(CHANNEL, [marketplaceId]));
  notifier.on(CHANNEL, rules.forget);
  notifier.onGap(rules.forgetAll);
  const gate = gateOf(rules, requestApproval(config.approvals.expiresMs));

  const routes = new Map<string, Route>();
  const findRoute = ({ method, path }: { readonly method: string; readonly path: string }): Route | null =>
    routes.get(`${method} ${path}`) ?? null;
  const carryOut = createCarryOut({ submit, reads, findRoute, outcomeOf: options.outcomeOf, deadlineClock, onTrouble });
  const timer = createDueTimer<DueApproval>({
    listDue: reads.listDue,
    pass: expiring(submit),
    clock: deadlineClock,
    words: { one: 'an approval could not be expired', all: 'the approvals that are due could not be read' },
    onTrouble,
  });
  const job: Job = { ...scheduled('resume-approvals'), run: carryOut.resumeDue };

  return {
    gate,
    routes: approvalRoutes({
      submit,
      reads,
      carryOut,
      findRoute,
      findMakers: createMakerReads(pool),
      writeIncludes: config.keys.writeIncludes,
    }),
    jobs: [job],
    figures: reads.figures,
    /** The routes whose requests can wait. Called once, when all routes are known. */
    useRoutes(all: readonly Route[]): void {
      for (const route of all) {
        if (route.approval) routes.set(`${route.endpoint.method} ${route.endpoint.path}`, route);
      }
    },
    /** For requests of another surface: the approval if a rule binds the request, else null. */
    async hold(endpoint: Route['endpoint'], routeRequest: AnyRouteRequest): Promise<Approval | null> {
      const route = findRoute(endpoint);
      if (!route) throw new Error(`${endpoint.method} ${endpoint.path} cannot wait for approval`);
      return (await createHold(route, { submit, previews, gate })(routeRequest)) as Approval | null;
    },
    start(): void {
      timer.start();
      carryOut.resumeAll().catch((error) => onTrouble('approved requests could not be resumed yet', error));
    },
    async close(): Promise<void> {
      await timer.close();
      await carryOut.close();
    },
  };
};

export type ApprovalsModule = ReturnType<typeof wireApprovals>;
