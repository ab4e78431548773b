// The page that a payer is sent to: the payment, a button to confirm it and one to cancel it. As at the real provider it works once,
// and a visit of the confirmation address afterwards proves nothing.

import type { FastifyInstance } from 'fastify';
import { formatCents } from './cents.ts';
import type { Payin } from './payins.ts';
import type { PaymentProvider } from './payment-provider.ts';

type ById = { Params: { id: string } };

export function payinPage({ app, payment }: { app: FastifyInstance; payment: PaymentProvider }): void {
  const { payins } = payment;

  app.get<ById>('/payin/:id', async ({ params: { id } }, reply) => {
    const payin = payins.get(id);
    reply.type('text/html; charset=utf-8').code(payin === undefined ? 404 : 200);
    if (payin === undefined) return page('No such payment', '<p>The sandbox has no payment with this id.</p>');
    return page(`Pay ${formatCents(payin.amount)} USD`, payin.status === 'CREATED' ? offer(payin) : finished(payin));
  });

  for (const move of ['confirm', 'cancel'] as const) {
    app.post<ById>(`/payin/:id/${move}`, async ({ params: { id } }, reply) => {
      const payin = payins.get(id);
      if (payin?.status !== 'CREATED') return reply.redirect(`/payin/${encodeURIComponent(id)}`, 303);
      payins.move(payin, { move });
      const onward = new URL(move === 'confirm' ? payin.confirmationUri : payin.cancelUri);
      onward.searchParams.set('code', payin.code);
      return reply.redirect(onward.href, 303);
    });
  }
}

function offer({ id, description, items }: Payin): string {
  const rows = items.map(
    (item) => `<li>${item.quantity} × ${inHtml(item.description)}: ${formatCents(item.amount)} USD</li>`,
  );
  const button = (move: string, label: string) =>
    `<form method="post" action="/payin/${id}/${move}"><button>${label}</button></form>`;
  const buttons = button('confirm', 'Confirm') + button('cancel', 'Cancel');
  return `<p>${inHtml(description)}</p><ul>${rows.join('')}</ul>${buttons}<p>Sandbox: no real money moves.</p>`;
}

const finished = ({ status }: Payin) => `<p>No action is needed: this payment is ${status}.</p>`;

const page = (title: string, content: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
  `<style>body{font:1rem/1.5 system-ui;margin:4rem auto;max-width:32rem}form{display:inline;margin-right:1rem}</style>` +
  `<h1>${title}</h1>${content}</html>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const inHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
