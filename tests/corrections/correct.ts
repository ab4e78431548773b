// Makes corrections in tests, and compares what they leave with the outside systems.

import assert from 'node:assert/strict';
import { reconcile } from '../browser/support/reconcile.ts';
import type { Answer, TestApp } from '../support/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
export type Any = any;

const REASON = 'Agreed with both parties by phone.';

type Wanted = {
  readonly kind: string;
  readonly resourceId: string;
  readonly amount?: string;
  readonly reason?: string;
};

/** Compares the books with the outside systems. Returns the open breaks as kind and subject. */
export const openBreaks = async (app: TestApp): Promise<string[]> => {
  await reconcile(app);
  const { body } = await app.call('GET /reconciliation/breaks?open=true');
  return body.data.data.map(({ kind, subject }: Any) => `${kind}:${subject}`);
};

type As = { readonly dryRun?: boolean; readonly key?: string };

export const corrections = (app: TestApp) => {
  const send = (wanted: Wanted, { dryRun, key }: As = {}): Promise<Answer> =>
    app.call('POST /corrections', {
      body: { reason: REASON, ...wanted },
      ...(key === undefined ? {} : { key }),
      ...(dryRun ? { headers: { 'dry-run': 'true' } } : {}),
    });

  return {
    send,

    /** A preview that shows the figures that the correction then has. */
    async make(wanted: Wanted): Promise<Any> {
      const preview = await send(wanted, { dryRun: true });
      assert.equal(preview.status, 200, preview.text);
      const { status, text, body } = await send(wanted);
      assert.equal(status, 201, text);
      const { before, after } = preview.body.data.reply;
      assert.deepEqual([before, after], [body.data.before, body.data.after]);
      return body.data;
    },

    /** Refused with the facts, and with this in the next step. */
    async refuse(wanted: Wanted, next: RegExp): Promise<Any> {
      const { status, body, text } = await send(wanted);
      assert.deepEqual([status, body?.error?.code], [409, 'CORRECTION_REFUSED'], text);
      assert.match(body.error.message, next);
      assert.equal(body.error.details.kind, wanted.kind);
      return body.error.details.facts;
    },
  };
};
