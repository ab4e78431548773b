// An amount with all of its decimal places.

import { Amount } from '../../parts/money/amount.tsx';
import { amountOf, placesOf } from '../../parts/money/amounts.ts';

type Props = { readonly value: string; readonly currency?: string };

export const ExactAmount = ({ value, currency }: Props) => (
  <Amount value={value} places={placesOf(amountOf(value))} {...(currency === undefined ? {} : { currency })} />
);
