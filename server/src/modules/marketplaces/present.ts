// A marketplace and a transfer of float in replies.

import { formatAmount } from '../../books/money.ts';
import { FLOAT_CURRENCY, type FloatFigures, presentFloat } from '../float/float.ts';
import type { PlacedTransfer } from '../float/queries.ts';
import type { MarketplaceRecord } from './queries.ts';

export const presentMarketplace = (record: MarketplaceRecord, float: FloatFigures) => ({
  ...record,
  float: presentFloat(float),
});

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
