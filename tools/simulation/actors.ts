// Those who live the lives: they have the clients, the simulators, the journal, and keep what is known of everything they began.

import { type Holdfast, HoldfastError } from '@holdfast/sdk';
import type { Environment } from './environment.ts';
import { openPreviews } from './previews/previews.ts';
import { randomOf } from './random.ts';
import type { Effect, ScenarioRecord } from './records.ts';
import { retryUntil } from './retry.ts';
import { runAdjust, runDeposit } from './scenarios/balance-scenario.ts';
import { runOrder } from './scenarios/order-scenario.ts';
import { runTopup, runWithdrawal } from './scenarios/payment-scenario.ts';
import type { Scenario } from './scenarios/scenarios.ts';
import type { Users } from './users.ts';

export type Actor = ReturnType<typeof openActor>;

export const openActor = (environment: Environment, users: Users) => {
  const { journal, simulators, webhookRelay, places } = environment;
  const begun: ScenarioRecord[] = [];
  const effects: Effect[] = [];
  /** Tags of what outsiders paid in. */
  const deposits = new Set<string>();
  return {
    users,
    simulators,
    webhookRelay,
    begun,
    effects,
    deposits,
    ask: journal.ask,
    violate: journal.violate,
    policies: environment.plan.policies,
    previews: openPreviews(environment, journal),
    random: randomOf(environment.plan.seed, 'actors'),
    begin: (record: ScenarioRecord): void => void begun.push(record),
    effect: (effect: Effect): void => void effects.push(effect),
    clientOf: ({ place }: Pick<Scenario, 'place'>): Holdfast => places[place]!.client,

    /** Reads, again while no server is there; null when that takes too long. */
    async look<Seen>(read: () => Promise<Seen>): Promise<Seen | null> {
      let seen: Seen | null = null;
      await retryUntil(async () => {
        seen = await read().catch((error: unknown) => {
          if (error instanceof HoldfastError) return null;
          throw error;
        });
        return seen !== null;
      }, 'a server answers');
      return seen;
    },

    /** As a payer's browser that comes back from the provider. */
    follow: (url: string): Promise<void> => environment.browse(url),
  };
};

export const live = async (scenario: Scenario, actor: Actor): Promise<void> => {
  switch (scenario.kind) {
    case 'order':
      await runOrder(scenario, actor);
      return;
    case 'topup':
      return runTopup(scenario, actor);
    case 'withdrawal':
      return runWithdrawal(scenario, actor);
    case 'deposit':
      return runDeposit(scenario, actor);
    case 'adjust':
      return runAdjust(scenario, actor);
  }
};
