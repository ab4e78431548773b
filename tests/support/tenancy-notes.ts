// Notes of one marketplace about its records, and the evidence and messages of a dispute: part of tenancy-life.ts.

import type { Place } from './tenancy-life.ts';

/** Notes about an order and its buyer, and the notes of the order and of the marketplace. */
export const useNotes = async ({ ask }: Place, orderId: string): Promise<void> => {
  const record = { resourceType: 'order', resourceId: orderId };
  await ask('POST /notes', { ...record, text: 'The buyer called.' });
  await ask('GET /notes');
  await ask(`GET /notes?${new URLSearchParams(record)}`);
  const { buyerId } = await ask(`GET /orders/${orderId}`);
  await ask('POST /notes', { resourceType: 'user', resourceId: buyerId, text: 'x' });
  await ask(`GET /orders/${orderId}/timeline`);
};

const FILE = { fileName: 'parcel.txt', contentType: 'text/plain', content: 'VGhlIHBhcmNlbC4=', submittedBy: 'BUYER' };

/** Of a dispute that is not resolved yet. */
export const discuss = async ({ ask, app, key }: Place, disputeId: string): Promise<void> => {
  const at = `/disputes/${disputeId}`;
  const { orderId } = await ask(`GET ${at}`);
  const { id } = await ask(`POST ${at}/evidence`, FILE);
  await ask(`GET ${at}/evidence`);
  await ask(`GET ${at}/evidence/${id}`);
  const { status } = await app.call(`GET ${at}/evidence/${id}/content`, { key });
  if (status !== 200) throw new Error(`the content of ${id}: ${status}`);
  await ask(`POST ${at}/messages`, { from: 'SELLER', text: 'I sent it on Monday.' });
  await ask(`GET ${at}/messages`);
  await ask(`GET /orders/${orderId}/timeline`);
};

const STATEMENT = {
  fileName: 'statement.csv',
  content: Buffer.from('date,reference,amount,currency\n2026-01-02,payin-1,3.00,USD\n').toString('base64'),
  from: '2026-01-01',
  to: '2026-02-01',
};

/** A statement of each system, compared with the records. */
export const uploadStatements = async ({ ask, app, key }: Place): Promise<void> => {
  for (const system of ['payment-provider', 'ledger-network']) {
    const { id } = await ask('POST /provider-statements', { ...STATEMENT, system });
    await ask(`GET /provider-statements?system=${system}`);
    await ask(`GET /provider-statements/${id}`);
    await ask(`GET /provider-statements/${id}/lines`);
    const { status } = await app.call(`GET /provider-statements/${id}/report`, { key });
    if (status !== 200) throw new Error(`the report of ${id}: ${status}`);
  }
};
