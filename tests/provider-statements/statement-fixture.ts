// Uploads of provider statements: what the tests of this folder share.

import type { TestApp } from '../support/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
export type Any = any;

export const HEADER = 'date,reference,amount,currency';

export const base64 = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64');

/** A file of January 2026 unless the test says otherwise. */
export const bodyOf = (text: string | Uint8Array, more: object = {}) => ({
  system: 'payment-provider',
  fileName: 'january.csv',
  content: base64(text),
  from: '2026-01-01',
  to: '2026-02-01',
  ...more,
});

export const uploadsTo = (app: TestApp) => {
  const upload = (text: string | Uint8Array, more: object = {}) =>
    app.call('POST /provider-statements', { body: bodyOf(text, more) });
  return {
    upload,
    async uploaded(text: string | Uint8Array, more: object = {}): Promise<Any> {
      const { status, body, text: told } = await upload(text, more);
      if (status !== 201) throw new Error(told);
      return body.data;
    },
    /** The problems of a refused file. */
    async problemsOf(text: string | Uint8Array, more: object = {}): Promise<string[]> {
      const { status, body, text: told } = await upload(text, more);
      if (status !== 400) throw new Error(`not refused: ${told}`);
      return body.error.details.validationErrors;
    },
    lines: async (id: string, query = 'limit=100'): Promise<Any[]> =>
      (await app.call(`GET /provider-statements/${id}/lines?${query}`)).body.data.data,
  };
};
