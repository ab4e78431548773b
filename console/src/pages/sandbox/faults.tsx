// Faults: the next calls of an operation fail in a chosen way. The server lists the possible faults. The page records
// the faults that were triggered while it was open, because a used fault leaves no other trace.

import type { ArmSandboxFaultInput, SandboxFault } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { plural } from '../../plural.ts';
import { useClient } from '../../session.tsx';
import { type TriggeredFault, useTriggeredFaults } from './triggered-faults.ts';

export const FaultsPanel = ({ armed }: { readonly armed: readonly SandboxFault[] }) => {
  const client = useClient();
  const triggered = useTriggeredFaults(armed);
  const known = useQuery({
    queryKey: ['sandbox-operations'],
    queryFn: async () => (await client.sandbox.faults()).operations,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const clear = useAction({
    run: () => client.sandbox.clearFaults(),
    done: () => ({ title: 'All faults cleared', text: 'The simulators work normally again.' }),
    failed: 'The faults were not cleared',
    touches: [['sandbox']],
  });
  return (
    <Panel
      title="Faults"
      actions={
        <Button
          icon="close"
          isBusy={clear.isPending}
          reason={armed.length === 0 ? 'No faults are armed.' : null}
          onClick={() => {
            triggered.forget();
            clear.mutate();
          }}
        >
          Clear all
        </Button>
      }
    >
      <div className="sandbox-faults">
        <Loaded query={known} name="Faults">
          {(operations) => <ArmForm operations={operations} />}
        </Loaded>
        <div className="stack">
          <ArmedList armed={armed} />
          <TriggeredList triggered={triggered.list} />
        </div>
      </div>
    </Panel>
  );
};

const TAKES_TIME = ['timeout', 'slow', 'late', 'reorder'];

const useArm = () => {
  const client = useClient();
  return useAction({
    run: (input: ArmSandboxFaultInput) => client.sandbox.armFault(input),
    done: (made) => ({
      title: `${made.fault} armed for ${made.operation}`,
      text: `Affects the next ${plural(made.count, 'call')}${made.match ? ` about ${made.match}` : ''}.`,
    }),
    failed: 'The fault was not armed',
    touches: [['sandbox']],
    quiet: true,
  });
};

const ArmForm = ({ operations }: { readonly operations: Readonly<Record<string, readonly string[]>> }) => {
  const names = Object.keys(operations);
  const [operation, setOperation] = useState(names[0] ?? '');
  const possible = operations[operation] ?? [];
  const [wanted, setWanted] = useState('');
  const fault = possible.includes(wanted) ? wanted : (possible[0] ?? '');
  const [count, setCount] = useState('1');
  const [delayMs, setDelayMs] = useState('');
  const [match, setMatch] = useState('');
  const act = useArm();
  const isCount = /^[1-9]\d{0,6}$/.test(count.trim());
  const isDelay = /^\d{0,8}$/.test(delayMs.trim());
  const takesTime = TAKES_TIME.includes(fault);
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isCount || !isDelay || act.isPending) return;
        act.mutate({
          operation: operation as ArmSandboxFaultInput['operation'],
          fault: fault as ArmSandboxFaultInput['fault'],
          count: Number(count.trim()),
          ...(takesTime && delayMs.trim() ? { delayMs: Number(delayMs.trim()) } : {}),
          ...(match.trim() ? { match: match.trim() } : {}),
        });
      }}
    >
      <div className="sandbox-fields">
        <SelectField
          label="Operation"
          value={operation}
          options={names.map((value) => ({ value, name: value }))}
          onChange={(event) => setOperation(event.target.value)}
        />
        <SelectField
          label="Fault"
          value={fault}
          options={possible.map((value) => ({ value, name: value }))}
          onChange={(event) => setWanted(event.target.value)}
        />
        <TextField
          label="Number of calls"
          inputMode="numeric"
          value={count}
          error={isCount ? undefined : 'Enter a whole number from 1.'}
          onChange={(event) => setCount(event.target.value)}
        />
        {takesTime ? (
          <TextField
            label="Delay (ms)"
            inputMode="numeric"
            value={delayMs}
            hint="Optional"
            error={isDelay ? undefined : 'Enter a whole number.'}
            onChange={(event) => setDelayMs(event.target.value)}
          />
        ) : null}
      </div>
      <TextField
        label="Only calls matching"
        value={match}
        placeholder="ord_…, top_…, wdr_… or an address"
        hint="Empty: any call of any marketplace."
        onChange={(event) => setMatch(event.target.value)}
      />
      {act.error ? <ErrorNotice title="The fault was not armed" error={act.error} /> : null}
      <div className="row">
        <Button type="submit" tone="accent" isBusy={act.isPending}>
          Arm {fault} for {operation}
        </Button>
      </div>
    </form>
  );
};

const ArmedList = ({ armed }: { readonly armed: readonly SandboxFault[] }) => (
  <section aria-label="Armed" className="stack-tight">
    <h3>Armed</h3>
    {armed.length === 0 ? (
      <p className="soft">None. The simulators work normally.</p>
    ) : (
      <ul className="stack-tight">
        {armed.map(({ id, operation, fault, count, delayMs, match }) => (
          <li key={id} className="sandbox-armed">
            <span>
              <strong>{fault}</strong> for <code>{operation}</code>
              {delayMs === null ? '' : `, ${delayMs} ms`}
              {match ? (
                <>
                  {' '}
                  about <Id value={match} copy={false} />
                </>
              ) : null}
            </span>
            <span className="soft">{plural(count, 'call')} left</span>
          </li>
        ))}
      </ul>
    )}
  </section>
);

const TriggeredList = ({ triggered }: { readonly triggered: readonly TriggeredFault[] }) => (
  <section aria-label="Triggered" className="stack-tight" aria-live="polite">
    <h3>Triggered since this page was opened</h3>
    {triggered.length === 0 ? (
      <p className="soft">None yet.</p>
    ) : (
      <ul className="stack-tight">
        {triggered.map(({ key, operation, fault, times, at }) => (
          <li key={key} className="sandbox-armed">
            <span>
              <strong>{fault}</strong> on <code>{operation}</code>
              {times === 1 ? '' : ` ${plural(times, 'time')}`}
            </span>
            <span className="soft">
              <Time value={at} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
);
