// The simulator of the payment provider: payins, payouts, users, the balances of the enterprises and signed webhooks. It speaks the real
// provider's wire protocol; choices that the real one leaves open are made here and described in docs/sandbox.md.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Fault, Strike } from '../faults.ts';
import { answerUnder } from '../http-misbehave.ts';
import type { PaymentConfig, WebhookTarget } from '../sandbox-config.ts';
import type { Simulator, SimulatorTools } from '../simulator.ts';
import { type EnterpriseOf, guard } from './access.ts';
import { accountRoutes } from './account-routes.ts';
import { formatCents, parseCents } from './cents.ts';
import { type Balances, keepBalances } from './enterprise-balance.ts';
import { type Enterprises, FIRST, keepEnterprises } from './enterprises.ts';
import { payinRoutes } from './payin-routes.ts';
import { keepPayins, type Payins, presentPayin } from './payins.ts';
import { payoutRoutes } from './payout-routes.ts';
import { keepPayouts, type Payouts, presentPayout } from './payouts.ts';
import { problem } from './problems.ts';
import { keepUsers, type Users } from './users.ts';
import { keepWebhooks } from './webhooks.ts';

export type PaymentTools = {
  app: FastifyInstance;
  payins: Payins;
  payouts: Payouts;
  users: Users;
  balances: Balances;
  enterpriseOf: EnterpriseOf;
};

export type CallUnderFaults = (
  reply: FastifyReply,
  call: Strike & { act: (fault: Fault | null) => unknown },
) => Promise<unknown>;

export type PaymentProvider = Simulator & {
  payins: Payins;
  payouts: Payouts;
  users: Users;
  enterprises: Enterprises;
  // Resolves when the due webhooks about this payin or payout have been tried.
  webhooksSettled(id: string): Promise<void>;
  setWebhook(target: WebhookTarget | null): void;
};

export function paymentProvider(tools: SimulatorTools<PaymentConfig>): PaymentProvider {
  const { app, clock, faults, slice, flush, config } = tools;
  const enterprises = keepEnterprises({ slice, config, opening: opening(config) });
  const balances = keepBalances({ slice, enterprises });
  const users = keepUsers({ slice });
  const webhooks = keepWebhooks({ slice, clock, faults, flush, enterprises, target: config.webhook });
  const payins = keepPayins({ slice, clock, flush, balances, webhooks });
  const payouts = keepPayouts({ slice, clock, balances, users, webhooks });

  const call: CallUnderFaults = (reply, { act, ...strike }) =>
    answerUnder({
      reply,
      fault: faults.strike(strike),
      act,
      refuse() {
        throw problem('unprocessable');
      },
      flush,
    });

  const enterpriseOf = guard({ app, clock, config, enterprises, log: tools.log });
  const parts = { app, payins, payouts, users, balances, enterpriseOf };
  payinRoutes(parts, call);
  payoutRoutes(parts, call);
  accountRoutes(parts, call);

  return {
    begin() {
      payins.begin();
      payouts.rebuild();
      webhooks.begin();
    },
    close: webhooks.close,
    describe() {
      const shownBalance = (name: string) => {
        const { available, pending } = balances(name).read();
        return { available: formatCents(available), pending: formatCents(pending) };
      };
      return {
        payins: [...payins.all()].map(presentPayin),
        payouts: [...payouts.all()].map(presentPayout),
        users: users.list(),
        balance: shownBalance(FIRST),
        enterprises: enterprises.added().map(({ name, keys }) => ({
          name,
          keys: keys.map(({ key }) => key),
          ...shownBalance(name),
        })),
        webhooks: webhooks.list().map(({ body, ...webhook }) => ({ ...webhook, body: JSON.parse(body) })),
      };
    },
    payins,
    payouts,
    users,
    enterprises,
    webhooksSettled: webhooks.settled,
    setWebhook: webhooks.setTarget,
  };
}

function opening({ openingBalance }: PaymentConfig): bigint {
  const cents = parseCents(openingBalance);
  if (cents === null)
    throw new Error(`The opening balance ${openingBalance} must be a number with at most two decimal places.`);
  return cents;
}
