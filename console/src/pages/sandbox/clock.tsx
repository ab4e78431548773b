// The clock of the simulators. It only moves forward, and everything due until then is carried out.

import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Figure, Panel } from '../../parts/panel.tsx';
import { exactTime, useNow } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

const STEPS = [
  { words: '1 minute', seconds: 60 },
  { words: '1 hour', seconds: 3_600 },
  { words: '1 day', seconds: 86_400 },
  { words: '1 week', seconds: 604_800 },
] as const;

const UNITS = [
  { value: '1', name: 'seconds' },
  { value: '60', name: 'minutes' },
  { value: '3600', name: 'hours' },
  { value: '86400', name: 'days' },
];

/** `2 d 3 h`, the two largest parts; empty for less than a minute. */
const lengthWords = (seconds: number): string => {
  const parts = [
    [Math.trunc(seconds / 86_400), 'd'],
    [Math.trunc((seconds % 86_400) / 3_600), 'h'],
    [Math.trunc((seconds % 3_600) / 60), 'min'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
};

export const ClockPanel = ({ time }: { readonly time: string }) => {
  const client = useClient();
  const now = useNow();
  const [count, setCount] = useState('1');
  const [unit, setUnit] = useState('3600');
  const act = useAction({
    run: (seconds: number) => client.sandbox.advanceClock({ seconds }),
    done: (moved) => ({
      title: `Simulator clock: ${exactTime(moved.time)}`,
      text: 'Everything due until then was carried out.',
    }),
    failed: 'The clock was not advanced',
    touches: [['sandbox'], ['sandbox-time'], ['topups'], ['withdrawals'], ['orders']],
  });
  const ahead = lengthWords(Math.trunc((Date.parse(time) - now) / 1_000));
  const isCount = /^\d{1,6}$/.test(count.trim()) && count.trim() !== '0';
  return (
    <Panel title="Simulator clock">
      <div className="stack">
        <Figure name={ahead ? `${ahead} ahead of real time` : 'Real time'}>
          <time className="sandbox-time" dateTime={time}>
            {exactTime(time)}
          </time>
        </Figure>
        <div className="row">
          {STEPS.map(({ words, seconds }) => (
            <Button key={words} isBusy={act.isPending && act.variables === seconds} onClick={() => act.mutate(seconds)}>
              + {words}
            </Button>
          ))}
        </div>
        <form
          className="sandbox-by-hand"
          onSubmit={(event) => {
            event.preventDefault();
            if (isCount && !act.isPending) act.mutate(Number(count.trim()) * Number(unit));
          }}
        >
          <TextField
            label="Custom"
            inputMode="numeric"
            value={count}
            error={isCount ? undefined : 'Enter a whole number above zero.'}
            onChange={(event) => setCount(event.target.value)}
          />
          <SelectField label="Unit" value={unit} options={UNITS} onChange={(event) => setUnit(event.target.value)} />
          <Button type="submit" isBusy={act.isPending} reason={isCount ? null : 'Enter a whole number.'}>
            Advance
          </Button>
        </form>
      </div>
    </Panel>
  );
};
