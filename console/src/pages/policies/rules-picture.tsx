// The picture of a policy: one line for each deadline, from what starts it to what happens, with its reminders. Lines are as
// long as the square root of their time, so that hours beside weeks can still be seen.

import { durationMs, durationWords } from './durations.ts';
import { type RuleRow, type Rules, ruleRows } from './rule-rows.ts';

const LENGTH_MIN = 0.25;

const timeOf = ({ duration }: RuleRow): number => durationMs(duration) ?? 0;

/** Where a reminder is, as a part of the line. */
const placeOf = (row: RuleRow, reminder: string): number => 1 - (durationMs(reminder) ?? 0) / Math.max(timeOf(row), 1);

const sentenceOf = ({ from, duration, unless, does, reminders }: RuleRow): string => {
  const told =
    reminders.length > 0 ? ` Reminders ${reminders.map((each) => durationWords(each)).join(', ')} before.` : '';
  return `${from}: after ${durationWords(duration)}, unless ${unless}. ${does}.${told}`;
};

export const RulesPicture = ({ rules }: { readonly rules: Rules }) => {
  const rows = ruleRows(rules);
  if (rows.length === 0) return <p className="soft">No deadlines: nothing happens by itself.</p>;
  const longest = Math.max(...rows.map(timeOf), 1);
  return (
    <ol className="policy-picture" aria-label="Deadlines">
      {rows.map((row) => (
        <li key={row.from} className="policy-line">
          <span className="hidden-text">{sentenceOf(row)}</span>
          <div aria-hidden="true" className="policy-line-shown">
            <span className="policy-from">{row.from}</span>
            <Line row={row} share={Math.max(LENGTH_MIN, Math.sqrt(timeOf(row) / longest))} />
            <span className="policy-does" data-tone={row.tone}>
              {row.does}
            </span>
            <span className="policy-unless soft">
              after {durationWords(row.duration)}, unless {row.unless}
            </span>
          </div>
        </li>
      ))}
    </ol>
  );
};

const Line = ({ row, share }: { readonly row: RuleRow; readonly share: number }) => (
  <svg className="policy-bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <line className="policy-way" x1="1" y1="6" x2={share * 99} y2="6" />
    {row.reminders.map((reminder) => (
      <line
        key={reminder}
        className="policy-reminder"
        x1={placeOf(row, reminder) * share * 99}
        x2={placeOf(row, reminder) * share * 99}
        y1="1"
        y2="11"
      />
    ))}
    <line className="policy-end" data-tone={row.tone} x1={share * 99} x2={share * 99} y1="0" y2="12" />
  </svg>
);
