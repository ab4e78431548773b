// Where a period opens: at the figures of the sealed month before it. A month that an earlier version sealed does not say where the money
// was, so that is computed from the present balances. It only reads.

import { readFigures, type Sealed } from './closing.ts';
import { beginNew, type Figures, NO_ASSETS } from './figures.ts';
import type { ClosingReads } from './queries.ts';

type Before = { readonly marketplaceId: string; readonly sealed: Sealed | null };

export const readOpening = async (reads: ClosingReads, { marketplaceId, sealed }: Before): Promise<Figures[]> => {
  if (!sealed) return [];
  const figures = sealed.currencies.map(readFigures);
  if (figures.length > 0 && figures.every(({ assets }) => assets !== null)) return figures;
  const found = await reads.assetsAt(marketplaceId, sealed.toAt);
  if (!found) return figures;
  const others = [...found].filter(([currency]) => figures.every((each) => each.currency !== currency));
  return [
    ...figures.map((each) => ({ ...each, assets: found.get(each.currency) ?? NO_ASSETS })),
    ...others.map(([currency, assets]) => beginNew(currency, assets)),
  ];
};
