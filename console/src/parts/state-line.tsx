// The way of a record through its states as one small line: those it has entered with the time, the one it is in, and
// what may follow.

import '../styles/state-line.css';
import { statusWords } from './status.tsx';
import { Time } from './time.tsx';

export type LineStep = {
  readonly state: string;
  /** When it was entered; absent for what may follow. */
  readonly at?: string | undefined;
  readonly kind: 'past' | 'now' | 'good' | 'bad' | 'next';
};

type Props = { readonly label: string; readonly steps: readonly LineStep[] };

export const StateLine = ({ label, steps }: Props) => (
  <ol className="state-line" aria-label={label}>
    {steps.map(({ state, at, kind }, place) => (
      <li
        key={`${state}-${String(place)}`}
        className="state-line-step"
        data-kind={kind}
        aria-current={['now', 'good', 'bad'].includes(kind) ? 'step' : undefined}
      >
        <span className="state-line-words" title={state}>
          {statusWords(state)}
        </span>
        {at ? <Time value={at} /> : <span className="soft">{kind === 'next' ? 'may follow' : 'time not known'}</span>}
      </li>
    ))}
  </ol>
);

type Life = {
  readonly status: string;
  readonly updatedAt: string;
  readonly createdAt: string;
  /** Entered states, oldest first. */
  readonly entered: readonly { readonly state: string; readonly at: string }[];
  /** The usual way, to its good end. */
  readonly usual: readonly string[];
  /** Where it may be besides, as the usual state at the same place. */
  readonly beside?: Readonly<Record<string, string>>;
};

/** From what is known of a record to its line. The record's own state has the last word. */
export const lineOf = ({ status, updatedAt, createdAt, entered, usual, beside = {} }: Life): LineStep[] => {
  const known = entered.length > 0 ? entered : [{ state: usual[0]!, at: createdAt }];
  const way = known.at(-1)?.state === status ? known : [...known, { state: status, at: updatedAt }];
  const place = usual.indexOf(beside[status] ?? status);
  const isGood = status === usual.at(-1);
  const kindNow: LineStep['kind'] = isGood ? 'good' : place < 0 ? 'bad' : 'now';
  const following = place < 0 || isGood ? [] : usual.slice(place + 1);
  return [
    ...way.map((step, at) => ({ ...step, kind: at === way.length - 1 ? kindNow : ('past' as const) })),
    ...following.map((state) => ({ state, kind: 'next' as const })),
  ];
};
