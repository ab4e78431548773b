// Splits the amount of an order in whole cents: by dragging, by the arrow keys, or by typing either share.

import type { Order } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { AmountField } from '../../parts/fields.tsx';
import {
  amountOf,
  compare,
  formatAmount,
  parseAmount,
  shareOf,
  subtract,
  toCents,
  toWire,
  type Units,
  ZERO,
} from '../../parts/money/amounts.ts';

type Props = {
  readonly order: Order;
  /** The seller's share before the fee. */
  readonly part: Units;
  readonly onChange: (part: Units) => void;
};

const CENT = 100_000n;
/** A range input has a number as its value. It counts cents, and orders are far below the largest safe number. */
const centsOf = (amount: Units): number => Number(amount / CENT);
const ofCents = (text: string): Units => (BigInt(text) * CENT) as Units;

export const SplitSlider = ({ order, part, onChange }: Props) => {
  const whole = amountOf(order.amount);
  const buyer = subtract(whole, part);
  const { currency } = order;
  return (
    <div className="stack-tight split">
      <div className="split-parts">
        <PartField label={`Seller’s share, ${currency}`} value={part} whole={whole} onChange={onChange} />
        <PartField
          label={`Buyer’s share, ${currency}`}
          value={buyer}
          whole={whole}
          onChange={(value) => onChange(subtract(whole, value))}
        />
      </div>
      <input
        type="range"
        className="split-range"
        aria-label="Seller’s share"
        aria-valuetext={`${formatAmount(part)} ${currency} for the seller, ${formatAmount(buyer)} for the buyer`}
        min={0}
        max={centsOf(whole)}
        step={1}
        value={centsOf(part)}
        style={{ backgroundSize: `${shareOf(part, whole) / 10}% 100%` }}
        onChange={(event) => onChange(ofCents(event.target.value))}
      />
    </div>
  );
};

type PartProps = {
  readonly label: string;
  readonly value: Units;
  readonly whole: Units;
  readonly onChange: (value: Units) => void;
};

/** The text is used as soon as it is a valid amount of at most the order's. */
const PartField = ({ label, value, whole, onChange }: PartProps) => {
  const shown = toWire(value);
  const [typed, setTyped] = useState(shown);
  const read = partIn(typed, whole);
  useEffect(() => {
    setTyped((before) => (partIn(before, whole) === value ? before : shown));
  }, [shown, value, whole]);
  return (
    <AmountField
      label={label}
      value={typed}
      error={read === null ? `Enter 0.00 to ${formatAmount(whole)} in whole cents.` : undefined}
      onChange={(event) => {
        setTyped(event.target.value);
        const next = partIn(event.target.value, whole);
        if (next !== null) onChange(next);
      }}
      onBlur={() => setTyped(shown)}
    />
  );
};

const partIn = (text: string, whole: Units): Units | null => {
  const amount = parseAmount(text);
  if (amount === null || compare(amount, ZERO) < 0 || compare(amount, whole) > 0) return null;
  return toCents(amount) === amount ? amount : null;
};
