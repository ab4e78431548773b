// Sends events again: all events since a time or after an event, or only the deliveries that failed.

import type { WebhookEndpointRecord } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Confirm } from '../../parts/money/confirm.tsx';
import { notPreviewed } from '../../parts/money/not-previewed.ts';
import { useClient, useDenial } from '../../session.tsx';
import { fromLocalField } from '../events/event-text.ts';
import { disabledReason } from './endpoint-actions.tsx';
import { counted } from './figures.ts';

type Props = { readonly endpoint: WebhookEndpointRecord };
type Verb = 'replay' | 'retry';

export const SendAgainActions = ({ endpoint }: Props) => {
  const writeDenial = useDenial('write');
  const [verb, setVerb] = useState<Verb | null>(null);
  const reason = writeDenial ?? disabledReason(endpoint);
  const onClose = (): void => setVerb(null);
  return (
    <>
      <Button icon="refresh" reason={reason} onClick={() => setVerb('retry')}>
        Retry failed
      </Button>
      <Button reason={reason} onClick={() => setVerb('replay')}>
        Replay events
      </Button>
      {verb === 'replay' ? <Replay endpoint={endpoint} onClose={onClose} /> : null}
      {verb === 'retry' ? <RetryFailed endpoint={endpoint} onClose={onClose} /> : null}
    </>
  );
};

type DialogProps = Props & { readonly onClose: () => void };

const TOUCHES = [['webhooks'], ['audit']];

const Replay = ({ endpoint, onClose }: DialogProps) => {
  const client = useClient();
  const since = useSince();
  const act = useAction({
    run: (from: string, once) => client.webhookEndpoints.replay(endpoint.id, from, once),
    done: ({ events }) => ({
      title: `Events to send again: ${counted(events)}`,
      text: 'New events follow behind them.',
    }),
    failed: 'The replay was not started',
    touches: TOUCHES,
    quiet: true,
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Replay events"
      confirm="Replay"
      preview={notPreviewed('POST /webhook-endpoints/:id/replay')}
      reason={since.missing}
      onConfirm={() => act.mutate(since.value())}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        Sends all events since then once more, in order, also those that were delivered. The receiver de-duplicates them
        by <code>webhook-id</code>.
      </p>
      <SinceFields since={since} />
    </Confirm>
  );
};

const RetryFailed = ({ endpoint, onClose }: DialogProps) => {
  const client = useClient();
  const since = useSince();
  const act = useAction({
    run: (from: string, once) => client.webhookEndpoints.retryFailed(endpoint.id, from, once),
    done: ({ deliveries, hasMore }) => ({
      title: `Deliveries to try again: ${counted(deliveries)}`,
      text: hasMore ? 'There are more: retry again for the rest.' : 'These are all of them.',
    }),
    failed: 'The deliveries are not tried again',
    touches: TOUCHES,
    quiet: true,
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Retry failed deliveries"
      confirm="Retry"
      preview={notPreviewed('POST /webhook-endpoints/:id/retry-failed')}
      reason={since.missing}
      onConfirm={() => act.mutate(since.value())}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>Tries every delivery again that was given up or waits for a retry, of events since then.</p>
      <SinceFields since={since} />
    </Confirm>
  );
};

const HOUR_MS = 3_600_000;
const RANGES = [
  { value: String(HOUR_MS), name: 'Last hour' },
  { value: String(24 * HOUR_MS), name: 'Last 24 hours' },
  { value: String(7 * 24 * HOUR_MS), name: 'Last 7 days' },
  { value: 'time', name: 'A time' },
  { value: 'event', name: 'After an event' },
];

/** Where to begin: a range, a time or an event. */
const useSince = () => {
  const [range, setRange] = useState(RANGES[0]!.value);
  const [typed, setTyped] = useState('');
  const isTyped = range === 'time' || range === 'event';
  const missing = range === 'time' ? 'Enter a time first.' : 'Enter the ID of an event first.';
  const value = (): string => {
    if (range === 'time') return fromLocalField(typed);
    return range === 'event' ? typed.trim() : new Date(Date.now() - Number(range)).toISOString();
  };
  return {
    range,
    typed,
    setTyped,
    value,
    setRange(next: string) {
      setRange(next);
      setTyped('');
    },
    missing: isTyped && typed.trim() === '' ? missing : null,
  };
};

const SinceFields = ({ since }: { readonly since: ReturnType<typeof useSince> }) => (
  <>
    <SelectField
      label="Since"
      value={since.range}
      options={RANGES}
      onChange={(event) => since.setRange(event.target.value)}
    />
    {since.range === 'time' ? (
      <TextField
        type="datetime-local"
        label="Time"
        value={since.typed}
        onChange={(event) => since.setTyped(event.target.value)}
      />
    ) : null}
    {since.range === 'event' ? (
      <TextField
        label="Event ID"
        placeholder="evt_…"
        hint="Everything after this event."
        value={since.typed}
        onChange={(event) => since.setTyped(event.target.value)}
      />
    ) : null}
  </>
);
