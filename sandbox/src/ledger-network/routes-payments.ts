// The payments of the whole network and of one ledger, page by page, and the effects of one operation, which say what a merged account had.

import type { Fault } from '../faults.ts';
import { OPERATIONS } from '../faults-table.ts';
import { anotherAmount, formatAmount } from './amounts.ts';
import { misshown } from './page-faults.ts';
import { type PageQuery, pickPage, presentPage, readPage } from './pages.ts';
import { iso, presentOperation } from './present.ts';
import { notFound } from './problems.ts';
import { answerRead, isWrong, NEWEST, type ReadTools } from './routes-read.ts';
import type { Operation } from './store.ts';

type Id = { Params: { id: string }; Querystring: PageQuery };

export function paymentRoutes(tools: ReadTools): void {
  const { app, viewOf, url } = tools;
  app.get<{ Querystring: PageQuery }>('/payments', (request, reply) => {
    const act = (fault: Fault | null) => {
      const page = readPage(request.query, NEWEST);
      const view = viewOf(request);
      const ids = pickPage(view.allPayments(), { page, token: (id) => id });
      const records = ids.map((id) => presentOperation(view.operation(id)!, { url: url(), wrong: isWrong(fault) }));
      return presentPage(misshown(records, fault?.fault), { url: `${url()}/payments`, page });
    };
    return answerRead(tools, { reply, operation: 'payments-get', ids: [], act, of: [...OPERATIONS['payments-get']] });
  });

  app.get<Id>('/ledgers/:id/payments', (request, reply) => {
    const act = (fault: Fault | null) => {
      const page = readPage(request.query, NEWEST);
      const { id: ledger } = request.params;
      const view = viewOf(request);
      const all = view.allPayments().filter((id) => String(BigInt(id) >> 32n) === ledger);
      const records = pickPage(all, { page, token: (id) => id }).map((id) =>
        presentOperation(view.operation(id)!, { url: url(), wrong: isWrong(fault), share: 3n }),
      );
      return presentPage(records, { url: `${url()}/ledgers/${ledger}/payments`, page });
    };
    return answerRead(tools, { reply, operation: 'transaction-get', ids: [], act });
  });

  app.get<Id>('/operations/:id/effects', (request, reply) => {
    const act = (fault: Fault | null) => {
      const operation = viewOf(request).operation(request.params.id);
      if (operation === undefined) throw notFound();
      const page = readPage(request.query, NEWEST);
      return presentPage(effectsOf(operation, isWrong(fault)), {
        url: `${url()}/operations/${operation.id}/effects`,
        page,
      });
    };
    return answerRead(tools, { reply, operation: 'payments-get', ids: [request.params.id], act });
  });
}

// Only of merges: no other operation is read by its effects.
function effectsOf({ id, at, source, type, detail, merged }: Operation, wrong: boolean) {
  if (type !== 'account_merge' || merged === undefined || merged === null) return [];
  const amount = formatAmount(wrong ? anotherAmount(merged) : merged);
  const effect = (place: number) => ({ id: `${id.padStart(19, '0')}-${place}`, paging_token: `${id}-${place}` });
  const common = { created_at: iso(at), amount, asset_type: 'native' };
  return [
    { ...effect(1), ...common, account: source, type: 'account_debited', type_i: 3 },
    { ...effect(2), ...common, account: detail.into as string, type: 'account_credited', type_i: 2 },
    { ...effect(3), created_at: iso(at), account: source, type: 'account_removed', type_i: 1 },
  ];
}
