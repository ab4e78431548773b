// Opening credits of an import that wait for approval or were approved, whichever API key has sent them. An Idempotency-Key counts for one
// API key only, so the approvals are the one place that knows of all requests. It only reads.

import type { Approval, Holdfast } from '@holdfast/sdk';
import { unitsOf } from '../money.ts';

export type Requested = { readonly id: string; readonly amount: bigint; readonly isApproved: boolean };

/** In the order in which an approval goes through them, so that one that moves on during the reading is not missed. */
const STATUSES = ['PENDING', 'APPROVING', 'APPROVED'] as const;

const PAGE = 100;

export const askedKey = (userId: string, currency: string): string => `${currency} ${userId}`;

const isOpening = ({ request }: Approval, reference: string): boolean => {
  const body = request.body as { readonly counterAccount?: unknown; readonly reference?: unknown } | null;
  return body?.counterAccount === 'opening_balances' && body.reference === reference;
};

/** The latest status of each request, by user and currency. */
export const requestedCredits = async (
  { client, signal }: { readonly client: Holdfast; readonly signal: AbortSignal },
  reference: string,
): Promise<Map<string, Requested>> => {
  const found = new Map<string, Requested>();
  for (const status of STATUSES) {
    const query = { action: 'balance.credit', status, limit: PAGE } as const;
    for await (const approval of client.approvals.list(query, { signal })) {
      const { id, userId, amount, currency } = approval;
      if (userId === null || amount === null || currency === null || !isOpening(approval, reference)) continue;
      found.set(askedKey(userId, currency), { id, amount: unitsOf(amount), isApproved: status === 'APPROVED' });
    }
  }
  return found;
};

/** Why an approval ended without its credit; null: it waits or was carried out. */
export const endedWithout = ({ id, status, reason, error }: Approval): string | null => {
  if (status === 'PENDING' || status === 'APPROVING' || status === 'APPROVED') return null;
  const why = reason ?? error?.message;
  return `The approval ${id} is ${status}${why === undefined ? '' : ` (${why})`}. Run the same command again to ask for a new one.`;
};
