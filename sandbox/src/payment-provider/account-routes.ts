// The payment provider's routes about users and about the enterprise itself.

import { presentCents } from './cents.ts';
import type { PaymentTools } from './payment-provider.ts';
import { problem } from './problems.ts';
import { email } from './request-shape.ts';
import { idOfUser, presentUser } from './users.ts';

const CANCEL_PENDING_AFTER_DAYS = 90;

export function accountRoutes({ app, users, balances, enterpriseOf }: PaymentTools): void {
  app.get<{ Params: { email: string } }>('/users/:email', async ({ params }) => {
    const user = users.find(email(params.email, 'email'));
    if (user === null) throw problem('userNotFound', { email: params.email });
    return presentUser(user);
  });

  app.get('/me', async (request) => ({
    id: idOfUser(enterpriseOf(request)),
    cancelPendingPayoutsAfterDays: CANCEL_PENDING_AFTER_DAYS,
    payoutRequireIdVerification: true,
  }));

  app.get('/me/balance', async (request) => {
    const { available, pending } = balances(enterpriseOf(request)).read();
    return { available: presentCents(available), pending: presentCents(pending) };
  });
}
