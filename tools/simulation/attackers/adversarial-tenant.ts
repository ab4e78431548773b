// A tenant that credits its own user by hand and withdraws the money through the payment provider. Its marketplace has received
// nothing there, so whatever it is paid is money of the other marketplaces.

import type { CallOptions } from '@holdfast/sdk';
import type { Told } from '../journal.ts';
import { textOf, unitsOf } from '../scenarios/scenarios.ts';
import type { Attack, Attacker } from './cast.ts';

const ATTACKER = 'adversarial tenant';
const ROUNDS = 3;
const CURRENCY = 'USD';

type Asking<Result> = { readonly what: string; readonly work: (options: CallOptions) => Promise<Result> };

/** Repeats a request with an unknown outcome once, with the same key. */
const ask = async <Result>({ environment }: Attack, { what, work }: Asking<Result>): Promise<Told<Result>> => {
  const { journal } = environment;
  const first = await journal.told(() => work({}));
  const key = first.outcome === 'unknown' ? first.error.idempotencyKey : null;
  const told = key === null ? first : await journal.told(() => work({ idempotencyKey: key }));
  const status = told.outcome === 'acknowledged' ? '' : `${told.error.status} ${told.error.code}`;
  journal.attempt({ attacker: ATTACKER, what, outcome: told.outcome, told: status });
  return told;
};

export const runAdversarialTenant: Attacker = async (attack) => {
  const { cast, actor, tag, random, environment } = attack;
  const { client, userId } = cast;
  for (let round = 0; round < ROUNDS; round++) {
    const cents = random.int(10_000, 500_000);
    const ref = `${tag}-${round}`;
    const money = { amount: textOf(cents), currency: CURRENCY } as const;
    const credited = await ask(attack, {
      what: 'credit',
      work: (options) => client.balances.credit(userId, { ...money, reference: ref }, options),
    });
    if (credited.outcome !== 'refused') {
      const change = { userId, currency: CURRENCY, available: unitsOf(cents), reserved: 0n } as const;
      actor.effect({ ...change, isCertain: credited.outcome === 'acknowledged', tag: ref });
    }
    const destination = { type: random.pick(['bank', 'payment_account'] as const), ref };
    const paid = await ask(attack, {
      what: 'withdrawal',
      work: (options) => client.withdrawals.create({ userId, ...money, destination, commit: true }, options),
    });
    if (paid.outcome === 'acknowledged') {
      environment.journal.violate(
        `${ATTACKER}: ${paid.value.id} pays ${money.amount} that its marketplace never received`,
      );
    }
  }
};
