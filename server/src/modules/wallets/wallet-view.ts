// The current balance and payments of one address on the ledger, for the wallet routes. An unreachable ledger is PROVIDER_TIMEOUT, never
// a zero.

import { DomainError } from '../../base/domain-error.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { Answer, LedgerAsset, LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';

type Options = {
  readonly network: Pick<LedgerNetwork, 'account' | 'payments'>;
  /** The asset that backs our dollars on the ledger. */
  readonly asset: LedgerAsset;
};

type PageRequest = { readonly address: string; readonly cursor: string | null; readonly limit: number };

/** Records that are not payments leave gaps; this many requests are made to fill a page. */
const REQUESTS_MAX = 5;

const orTimeout = <T>(answer: Answer<T>): T => {
  if (answer.kind === 'yes') return answer.value;
  throw new DomainError('PROVIDER_TIMEOUT', { details: { provider: 'ledger-network' } });
};

export const createWalletView = ({ network, asset }: Options) => ({
  /** Null: there is no such account. */
  async balances(address: string): Promise<{ usdc: Amount; xlm: Amount } | null> {
    const account = orTimeout(await network.account(address));
    if (!account) return null;
    const amountOf = ({ code, issuer }: LedgerAsset): Amount =>
      account.balances.find((line) => line.asset.code === code && line.asset.issuer === issuer)?.amount ?? ZERO;
    return { usdc: amountOf(asset), xlm: amountOf({ code: 'XLM', issuer: null }) };
  },

  /** Newest first. A page ends between operations, because the ledger's cursors do. */
  async payments({
    address,
    cursor,
    limit,
  }: PageRequest): Promise<{ items: LedgerPayment[]; nextCursor: string | null }> {
    const found: LedgerPayment[] = [];
    let from = cursor;
    let isLast = false;
    for (let requests = 0; requests < REQUESTS_MAX && !isLast && found.length <= limit; requests++) {
      const page = orTimeout(await network.payments({ address, cursor: from, limit: limit + 1, order: 'desc' }));
      found.push(...page.payments);
      from = page.cursor;
      isLast = page.isLast;
    }
    const items = wholeOperations(found, limit);
    if (items.length < found.length) return { items, nextCursor: items.at(-1)!.operationId };
    return { items, nextCursor: isLast ? null : from };
  },
});

const wholeOperations = (payments: readonly LedgerPayment[], limit: number): LedgerPayment[] => {
  let end = Math.min(limit, payments.length);
  const isInside = (at: number) => payments[at]?.operationId === payments[at - 1]?.operationId;
  while (end > 0 && end < payments.length && isInside(end)) end--;
  // An operation with more parts than a page holds is shown completely.
  if (end === 0) end = payments.findIndex(({ operationId }) => operationId !== payments[0]?.operationId);
  return payments.slice(0, end === -1 ? payments.length : end);
};
