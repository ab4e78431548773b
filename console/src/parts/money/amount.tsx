// Shows an amount: grouped, with digits of equal width, and its currency.

import { amountOf, formatAmount, placesOf, type Units } from './amounts.ts';

type Props = {
  /** From the server, or computed here. */
  readonly value: string | Units | null | undefined;
  readonly currency?: string;
  readonly places?: number;
  /** Shows + as well, and colours credits and debits. */
  readonly signed?: boolean;
  readonly size?: 'figure';
  readonly tone?: 'good' | 'bad';
};

const unitsOf = (value: Props['value']): Units => (typeof value === 'bigint' ? value : amountOf(value));

/** Two decimals, and more only where the amount has them: nothing is cut off. */
export const ExactAmount = (props: Omit<Props, 'places'>) => (
  <Amount {...props} places={placesOf(unitsOf(props.value))} />
);

export const Amount = ({ value, currency, places, signed = false, size, tone }: Props) => {
  if (value === null || value === undefined) return <span className="soft">–</span>;
  const units = unitsOf(value);
  const shown = formatAmount(units, { sign: signed, ...(places === undefined ? {} : { places }) });
  const signTone = !signed || units === 0n ? undefined : units > 0n ? 'good' : 'bad';
  return (
    <span className="amount" data-tone={tone ?? signTone} data-size={size}>
      {shown}
      {currency ? (
        <>
          {/* A space and not a margin, for copying and for screen readers. */}{' '}
          <span className="amount-currency">{currency}</span>
        </>
      ) : null}
    </span>
  );
};
