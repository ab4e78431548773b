// Those who live the lives: they have the clients, the simulators, the journal, and keep what is known of everything they began.

import { type Holdfast, HoldfastError } from '@holdfast/sdk';
import { liveAdjust, liveDeposit } from './balance-life.ts';
import { chanceOf } from './chance.ts';
import type { Environment } from './environment.ts';
import type { Life } from './lives.ts';
import { liveOrder } from './order-life.ts';
import { patiently } from './patiently.ts';
import { liveTopup, liveWithdrawal } from './payment-life.ts';
import type { People } from './people.ts';
import type { Effect, Lived } from './records.ts';

export type Actor = ReturnType<typeof openActor>;

export const openActor = (environment: Environment, people: People) => {
  const { journal, simulators, office, places } = environment;
  const begun: Lived[] = [];
  const effects: Effect[] = [];
  /** Tags of what outsiders paid in. */
  const deposits = new Set<string>();
  return {
    people,
    simulators,
    office,
    begun,
    effects,
    deposits,
    ask: journal.ask,
    chance: chanceOf(environment.plan.seed, 'actors'),
    begin: (lived: Lived): void => void begun.push(lived),
    effect: (effect: Effect): void => void effects.push(effect),
    clientOf: ({ place }: Pick<Life, 'place'>): Holdfast => places[place]!.client,

    /** Reads, again while no server is there; null when that takes too long. */
    async look<Seen>(read: () => Promise<Seen>): Promise<Seen | null> {
      let seen: Seen | null = null;
      await patiently(async () => {
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

export const live = async (life: Life, actor: Actor): Promise<void> => {
  switch (life.kind) {
    case 'order':
      await liveOrder(life, actor);
      return;
    case 'topup':
      return liveTopup(life, actor);
    case 'withdrawal':
      return liveWithdrawal(life, actor);
    case 'deposit':
      return liveDeposit(life, actor);
    case 'adjust':
      return liveAdjust(life, actor);
  }
};
