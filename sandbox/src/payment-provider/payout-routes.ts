// The payment provider's payout routes, each with its faults.

import type { FastifyRequest } from 'fastify';
import { nextWrongAmount, OTHER_AMOUNT_BY } from './cents.ts';
import type { CallUnderFaults, PaymentTools } from './payment-provider.ts';
import { type NewPayout, type Payout, presentEvents, presentPayout } from './payouts.ts';
import { problem } from './problems.ts';
import {
  email,
  type Fields,
  flag,
  invalid,
  money,
  optionalMoney,
  optionalText,
  pageQuery,
  readFields,
  text,
} from './request-shape.ts';

const FIELDS = [
  ...['airtmUserEmail', 'amount', 'notes', 'commit', 'code'],
  ...['enterpriseFee', 'internalNote', 'requireIdVerified'],
] as const;
// In one of these states a payout may still be cancelled through the API.
const CANCELABLE = ['CREATED', 'PENDING'];

type ById = { Params: { id: string } };
type ByCode = { Params: { code: string } };

/** What the fault adds to the amount that is paid. */
const otherBy = (fault: string | undefined, amount: bigint): bigint => {
  if (fault === 'wrong-amount') return OTHER_AMOUNT_BY;
  return fault === 'short' ? -(amount / 2n) : 0n;
};

export function payoutRoutes({ app, payouts, balances, enterpriseOf }: PaymentTools, call: CallUnderFaults): void {
  const own = (request: FastifyRequest) => payouts.of(enterpriseOf(request));
  const get = (payout: Payout | undefined): Payout => {
    if (payout === undefined) throw problem('payoutNotFound');
    return payout;
  };

  app.post<{ Body: Fields }>('/payouts', (request, reply) =>
    call(reply, {
      operation: 'payout',
      ids: [request.body?.code as string],
      act(fault) {
        const { commit, ...asked } = readPayout(request.body);
        const wanted = { ...asked, enterprise: enterpriseOf(request) };
        if (fault?.fault === 'wrong-amount') wanted.grossAmount += OTHER_AMOUNT_BY;
        // Refused as a whole: a payout that was to be created and committed is not left uncommitted.
        if (commit && balances(wanted.enterprise).read().available < wanted.grossAmount - wanted.enterpriseFee) {
          throw problem('balanceTooLow');
        }
        const payout = payouts.create(wanted);
        if (fault?.fault === 'http-200-failed') return presentPayout(payouts.move(payout, { move: 'fail' }));
        return presentPayout(commit ? payouts.commit(payout) : payout);
      },
    }),
  );

  app.post<ById>('/payouts/:id/commit', (request, reply) =>
    call(reply, {
      operation: 'payout-commit',
      ids: [request.params.id, own(request).get(request.params.id)?.code],
      act(fault) {
        const payout = get(own(request).get(request.params.id));
        if (payout.status !== 'CREATED') throw problem('payoutProcessed', { status: payout.status });
        if (fault?.fault === 'http-200-failed') return presentPayout(payouts.move(payout, { move: 'fail' }));
        payouts.commit({ ...payout, grossAmount: payout.grossAmount + otherBy(fault?.fault, payout.grossAmount) });
        reply.code(204);
        return undefined;
      },
    }),
  );

  app.delete<ById>('/payouts/:id', async (request) => {
    const payout = get(own(request).get(request.params.id));
    if (!CANCELABLE.includes(payout.status)) throw problem('payoutNotCancelable', { status: payout.status });
    return presentPayout(payouts.move(payout, { move: 'cancel' }));
  });

  app.get('/payouts', (request, reply) =>
    call(reply, {
      operation: 'payout-get',
      ids: [],
      act(fault) {
        const { items, ...cursors } = own(request).page(pageQuery(request.query));
        return { items: items.map((payout) => show(payout, fault?.fault === 'wrong-amount')), ...cursors };
      },
    }),
  );

  const read = (find: () => Payout | undefined, { asked }: { asked: string }) => ({
    operation: 'payout-get' as const,
    ids: [asked, find()?.id, find()?.code],
    act: (fault: { fault: string } | null) =>
      show(get(fault?.fault === 'missing' ? undefined : find()), fault?.fault === 'wrong-amount'),
  });
  app.get<ById>('/payouts/:id', (request, reply) => {
    const { id } = request.params;
    return call(
      reply,
      read(() => own(request).get(id), { asked: id }),
    );
  });
  app.get<ByCode>('/payouts/by-code/:code', (request, reply) => {
    const { code } = request.params;
    return call(
      reply,
      read(() => own(request).byCode(code), { asked: code }),
    );
  });
  app.get<ById>('/payouts/:id/events', async (request) => presentEvents(get(own(request).get(request.params.id))));
}

function readPayout(body: unknown): Omit<NewPayout, 'enterprise'> & { commit: boolean } {
  const fields = readFields(body, FIELDS);
  const wanted = {
    email: email(fields.airtmUserEmail, 'airtmUserEmail'),
    grossAmount: money(fields, 'amount'),
    enterpriseFee: optionalMoney(fields, 'enterpriseFee'),
    notes: text(fields, 'notes'),
    code: optionalText(fields, 'code'),
    internalNote: optionalText(fields, 'internalNote'),
    requireIdVerified: flag(fields, 'requireIdVerified'),
    commit: flag(fields, 'commit'),
  };
  if (wanted.enterpriseFee >= wanted.grossAmount) throw invalid('enterpriseFee', 'must be less than the amount');
  return wanted;
}

function show(payout: Payout, wrongAmount: boolean) {
  const other = wrongAmount ? nextWrongAmount(payout.id) : 0n;
  return presentPayout({ ...payout, grossAmount: payout.grossAmount + other });
}
