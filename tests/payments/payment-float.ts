// Compares the provider's balance with the float in the books: by the server's own job, or as a difference that a test in a
// shared server must not change.

import assert from 'node:assert/strict';
import { formatExact, minus, plus } from '../../server/src/books/money.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { createFloatBalance } from '../../server/src/modules/float/float-balance.ts';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import { createBreaks, type SeenBreak } from '../../server/src/modules/reconciliation/breaks.ts';
import { reconcile } from '../../server/src/modules/reconciliation/jobs.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import type { PaymentProvider } from '../../server/src/providers/ports.ts';
import { openProviders } from '../../server/src/providers/providers.ts';
import { exactUnits } from '../../tools/decimals.ts';
import { NO_WALLETS } from '../support/no-wallets.ts';
import type { PaymentServer } from '../support/shared-payments.ts';
import { controlOf } from '../support/simulators.ts';

/** What the provider holds beyond the books, of all marketplaces; and what the books have there for those given. */
export const floatDifference = async (
  { app, sandbox }: PaymentServer,
  marketplaces: readonly string[],
): Promise<{ readonly difference: bigint; readonly theirs: bigint }> => {
  const { available, pending } = sandbox.describe().balance as Record<string, string>;
  const [{ units, theirs }] = await app.sql(
    `select (-sum(balance))::text as units, (-sum(balance) filter (where marketplace_id = any($1)))::text as theirs
       from public.accounts where id like 'payment-float%'`,
    [marketplaces],
  );
  const difference = exactUnits(available!) + exactUnits(pending!) - BigInt(units);
  return { difference, theirs: BigInt(theirs ?? 0) };
};

/** Runs the reconciliation job once. `pass` may wrap the payment provider. */
export const reconcileFloat = async (
  { app, env }: PaymentServer,
  pass = (payment: PaymentProvider): PaymentProvider => payment,
) => {
  const pool = openPool(app.connection, { max: 2, onError() {} });
  const read = readConfig(env);
  assert.ok(read.ok);
  const payment = openProviders(read.config, { sandboxUrl: null }).payment!;
  const reads = createFloatReads(pool);
  const seen: SeenBreak[] = [];
  const job = reconcile({
    ...NO_WALLETS,
    breaks: createBreaks(pool),
    compareFloat: createFloatBalance({ payment: pass(payment), reads }),
    listOverdrawn: reads.listOverdrawn,
    onBreak: (one) => void seen.push(one),
  });
  try {
    await job.run();
    const books = await reads.total();
    const balance = await payment.balance();
    assert.ok(balance.kind === 'yes');
    const held = plus(balance.value.available, balance.value.pending);
    return { seen: seen.map((one) => formatExact(minus(one.actual, one.expected))), books, held };
  } finally {
    await pool.end();
  }
};

/** Another program receives this payment on the same provider account. */
export const payBehindTheBooks = async ({ sandbox }: Pick<PaymentServer, 'sandbox'>, amount: number): Promise<void> => {
  const code = `elsewhere-${amount}`;
  const items = [{ description: 'Elsewhere', amount, quantity: 1 }];
  const uri = 'http://127.0.0.1:1/';
  const answer = await fetch(`${sandbox.urls.payment}/payins`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('sandbox-key:sandbox-secret').toString('base64')}`,
    },
    body: JSON.stringify({ code, amount, description: 'Elsewhere', items, confirmationUri: uri, cancelUri: uri }),
  });
  assert.equal(answer.ok, true, await answer.text());
  await controlOf(sandbox.urls.control)(`POST /payins/${code}/confirm`);
};
