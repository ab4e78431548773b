// The payment provider's payin routes, each with its faults.

import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { nextWrongAmount, OTHER_AMOUNT_BY, presentCents } from './cents.ts';
import { type NewPayin, type Payin, presentPayin } from './payins.ts';
import type { CallUnderFaults, PaymentTools } from './payment-provider.ts';
import { problem } from './problems.ts';
import { address, type Fields, invalid, money, pageQuery, readFields, text } from './request-shape.ts';

const FIELDS = ['code', 'amount', 'description', 'items', 'confirmationUri', 'cancelUri'] as const;
const DESCRIPTION_MAX = 250;

type ById = { Params: { id: string } };
type ByCode = { Params: { code: string } };

export function payinRoutes({ app, payins, enterpriseOf }: PaymentTools, call: CallUnderFaults): void {
  const own = (request: FastifyRequest) => payins.of(enterpriseOf(request));
  const get = (payin: Payin | undefined): Payin => {
    if (payin === undefined) throw problem('payinNotFound');
    return payin;
  };

  app.post<{ Body: Fields }>('/payins', (request, reply) =>
    call(reply, {
      operation: 'payin',
      ids: [request.body?.code as string],
      act(fault) {
        const wanted = { ...readPayin(request.body), enterprise: enterpriseOf(request) };
        if (fault?.fault === 'wrong-amount') wanted.amount += OTHER_AMOUNT_BY;
        const payin = payins.create(wanted);
        if (fault?.fault !== 'http-200-failed') return presentPayin(payin);
        return presentPayin(payins.move(payin, { move: 'fail' }));
      },
    }),
  );

  app.get('/payins', (request, reply) =>
    call(reply, {
      operation: 'payin-get',
      ids: [],
      act(fault) {
        const { items, ...cursors } = own(request).page(pageQuery(request.query));
        return { items: items.map((payin) => show(payin, fault?.fault === 'wrong-amount')), ...cursors };
      },
    }),
  );

  const read = (find: () => Payin | undefined, { asked }: { asked: string }) => ({
    operation: 'payin-get' as const,
    ids: [asked, find()?.id, find()?.code],
    act: (fault: { fault: string } | null) => show(get(find()), fault?.fault === 'wrong-amount'),
  });
  app.get<ById>('/payins/:id', (request, reply) => {
    const { id } = request.params;
    return call(
      reply,
      read(() => own(request).get(id), { asked: id }),
    );
  });
  app.get<ByCode>('/payins/by-code/:code', (request, reply) => {
    const { code } = request.params;
    return call(
      reply,
      read(() => own(request).byCode(code), { asked: code }),
    );
  });

  app.delete<ById>('/payins/:id', (request, reply) =>
    call(reply, {
      operation: 'payin-cancel',
      ids: [request.params.id, own(request).get(request.params.id)?.code],
      act(fault) {
        const payin = get(own(request).get(request.params.id));
        if (payin.status !== 'CREATED') throw problem('payinNotCancelable', { status: payin.status });
        return presentPayin(payins.move(payin, { move: fault?.fault === 'http-200-failed' ? 'fail' : 'cancel' }));
      },
    }),
  );
}

function readPayin(body: unknown): Omit<NewPayin, 'enterprise'> {
  const fields = readFields(body, FIELDS);
  const description = text(fields, 'description');
  if (description.length > DESCRIPTION_MAX)
    throw invalid('description', `must have at most ${DESCRIPTION_MAX} characters`);
  const items = readItems(fields.items);
  const amount = money(fields, 'amount');
  const sum = items.reduce((total, item) => total + item.amount * BigInt(item.quantity), 0n);
  if (sum !== amount) throw invalid('amount', `must be the sum of the items, ${presentCents(sum)}`);
  const confirmationUri = address(fields, 'confirmationUri');
  const cancelUri = address(fields, 'cancelUri');
  return { code: text(fields, 'code'), amount, description, items, confirmationUri, cancelUri };
}

function readItems(items: unknown): NewPayin['items'] {
  if (!Array.isArray(items) || items.length === 0) throw invalid('items', 'must be a list with at least one item');
  return items.map((item) => {
    const fields = readFields(item, ['description', 'amount', 'quantity']);
    const quantity = fields.quantity;
    if (!Number.isSafeInteger(quantity) || (quantity as number) < 1) throw invalid('quantity', 'must be at least 1');
    const description = text(fields, 'description');
    return { id: randomUUID(), description, amount: money(fields, 'amount'), quantity: quantity as number };
  });
}

function show(payin: Payin, wrongAmount: boolean) {
  return presentPayin(wrongAmount ? { ...payin, amount: payin.amount + nextWrongAmount(payin.id) } : payin);
}
