// An amount as it is read: grouped, with figures of one width, its currency beside it.

import { amountOf, formatAmount, type Units } from './amounts.ts';

type Props = {
  /** As the server wrote it, or computed here. */
  readonly value: string | Units | null | undefined;
  readonly currency?: string;
  readonly places?: number;
  /** Shows + as well, and colours what comes and goes. */
  readonly signed?: boolean;
  readonly size?: 'figure';
  readonly tone?: 'good' | 'bad';
};

export const Amount = ({ value, currency, places, signed = false, size, tone }: Props) => {
  if (value === null || value === undefined) return <span className="soft">–</span>;
  const units = typeof value === 'bigint' ? value : amountOf(value);
  const shown = formatAmount(units, { sign: signed, ...(places === undefined ? {} : { places }) });
  const signTone = !signed || units === 0n ? undefined : units > 0n ? 'good' : 'bad';
  return (
    <span className="amount" data-tone={tone ?? signTone} data-size={size}>
      {shown}
      {currency ? (
        <>
          {/* A space of its own, not a margin: it is copied, and read out. */}{' '}
          <span className="amount-currency">{currency}</span>
        </>
      ) : null}
    </span>
  );
};
