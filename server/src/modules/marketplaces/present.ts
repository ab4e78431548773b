// A marketplace and a transfer of float in replies.

import { formatAmount } from '../../books/money.ts';
import { FLOAT_CURRENCY, type FloatFigures, presentFloat } from '../float/float.ts';
import type { PlacedTransfer } from '../float/queries.ts';
import type { presentLimits } from '../limits/present.ts';
import type { MarketplaceRecord } from './queries.ts';

type Shown = {
  readonly record: MarketplaceRecord;
  readonly float: FloatFigures;
  readonly limits: ReturnType<typeof presentLimits>[];
};

export const presentMarketplace = ({ record, float, limits }: Shown) => {
  const { ownAccountSince: since, ...rest } = record;
  const account = since === null ? ('shared' as const) : ('own' as const);
  return { ...rest, float: presentFloat(float), paymentAccount: { account, since }, limits };
};

export const presentTransfer = ({ marketplaceId, transfer }: PlacedTransfer, float: FloatFigures) => ({
  id: transfer.id,
  from: transfer.direction === 'given' ? marketplaceId : transfer.counterpart,
  to: transfer.direction === 'given' ? transfer.counterpart : marketplaceId,
  amount: formatAmount(transfer.amount),
  currency: FLOAT_CURRENCY,
  createdAt: transfer.createdAt,
  arrivedAt: transfer.arrivedAt,
  float: presentFloat(float),
});
