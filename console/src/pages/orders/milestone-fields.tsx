// The milestones of a new order. They must add up to its amount; the remainder is shown while typing.

import { useRef } from 'react';
import { Button } from '../../parts/button.tsx';
import { AmountField, TextField } from '../../parts/fields.tsx';
import { compare, formatAmount, toWire, ZERO } from '../../parts/money/amounts.ts';
import { type Draft, type DraftMilestone, leftOver } from './draft.ts';

type Props = {
  readonly draft: Draft;
  readonly error: string | undefined;
  readonly onChange: (milestones: readonly DraftMilestone[]) => void;
};

const MILESTONES_MAX = 10;

export const MilestoneFields = ({ draft, error, onChange }: Props) => {
  const made = useRef(0);
  const { milestones, currency } = draft;
  const left = leftOver(draft);
  const add = (): void => {
    made.current += 1;
    // A new milestone starts with the remaining amount.
    const amount = milestones.length > 0 && compare(left, ZERO) > 0 ? toWire(left) : '';
    onChange([...milestones, { key: made.current, title: '', amount }]);
  };
  const edit = (key: number, part: Partial<DraftMilestone>): void =>
    onChange(milestones.map((each) => (each.key === key ? { ...each, ...part } : each)));

  return (
    <fieldset className="stack-tight orders-milestones">
      <legend className="field-label">Milestones</legend>
      {milestones.length === 0 ? (
        <p className="field-hint">Without milestones the whole amount is released at once.</p>
      ) : null}
      {milestones.map(({ key, title, amount }, at) => (
        <div key={key} className="orders-milestone">
          <TextField
            label={`Milestone ${at + 1}`}
            value={title}
            onChange={(event) => edit(key, { title: event.target.value })}
          />
          <AmountField
            label={`Amount of ${at + 1}`}
            value={amount}
            onChange={(event) => edit(key, { amount: event.target.value })}
          />
          <Button
            tone="plain"
            icon="close"
            aria-label={`Remove milestone ${at + 1}`}
            onClick={() => onChange(milestones.filter((each) => each.key !== key))}
          />
        </div>
      ))}
      <div className="row row-between">
        <Button
          onClick={add}
          reason={milestones.length >= MILESTONES_MAX ? 'An order has at most ten milestones.' : null}
        >
          Add milestone
        </Button>
        {milestones.length > 0 ? (
          <span className="field-hint" role="status">
            {left === ZERO
              ? 'The milestones add up to the order amount.'
              : compare(left, ZERO) > 0
                ? `${formatAmount(left)} ${currency} remaining`
                : `${formatAmount(left).slice(1)} ${currency} over the order amount`}
          </span>
        ) : null}
      </div>
      {error ? (
        <span className="field-error" role="alert">
          {error}
        </span>
      ) : null}
    </fieldset>
  );
};
