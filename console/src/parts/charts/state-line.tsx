// The progress of a record in one line: the entered states with their times, the current state, and the possible next
// states.

import '../../styles/state-line.css';
import { statusWords } from '../status.tsx';
import { Time } from '../time.tsx';

type LineStep = {
  readonly state: string;
  /** When the state was entered; absent for a next state. */
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
        {at ? <Time value={at} /> : <span className="soft">{kind === 'next' ? 'upcoming' : 'time unknown'}</span>}
      </li>
    ))}
  </ol>
);

type RecordHistory = {
  readonly status: string;
  readonly updatedAt: string;
  readonly createdAt: string;
  /** Entered states, oldest first. */
  readonly entered: readonly { readonly state: string; readonly at: string }[];
  /** The usual states, up to the successful end. */
  readonly usual: readonly string[];
  /** Alternative states, each with the usual state at the same position. */
  readonly alternatives?: Readonly<Record<string, string>>;
};

/** The steps of a record. The status of the record is always the last entered state. */
export const lineOf = ({
  status,
  updatedAt,
  createdAt,
  entered,
  usual,
  alternatives = {},
}: RecordHistory): LineStep[] => {
  const known = entered.length > 0 ? entered : [{ state: usual[0]!, at: createdAt }];
  const way = known.at(-1)?.state === status ? known : [...known, { state: status, at: updatedAt }];
  const place = usual.indexOf(alternatives[status] ?? status);
  const isGood = status === usual.at(-1);
  const kindNow: LineStep['kind'] = isGood ? 'good' : place < 0 ? 'bad' : 'now';
  const following = place < 0 || isGood ? [] : usual.slice(place + 1);
  return [
    ...way.map((step, at) => ({ ...step, kind: at === way.length - 1 ? kindNow : ('past' as const) })),
    ...following.map((state) => ({ state, kind: 'next' as const })),
  ];
};
