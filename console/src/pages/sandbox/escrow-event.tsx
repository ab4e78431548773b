// Sends an escrow webhook about the contract of an order to this server. Only events that match its state can be sent.

import {
  ESCROW_EVENT_TYPES,
  type SandboxState,
  type SendSandboxEscrowEventInput,
  type SendSandboxEscrowEventResult,
} from '@holdfast/sdk';
import { useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Empty, ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useClient } from '../../session.tsx';

export const EscrowEventPanel = ({ contracts }: { readonly contracts: SandboxState['contracts'] }) => {
  const client = useClient();
  const [orderId, setOrderId] = useState('');
  const [type, setType] = useState<SendSandboxEscrowEventInput['type']>('escrow.funded');
  const [milestoneRef, setMilestoneRef] = useState('');
  const chosen = orderId || contracts[0]?.orderId || '';
  const isAboutMilestone = type === 'escrow.milestone_completed';
  const act = useAction({
    run: () =>
      client.sandbox.sendEscrowEvent({
        type,
        orderId: chosen,
        ...(isAboutMilestone && milestoneRef.trim() ? { milestoneRef: milestoneRef.trim() } : {}),
      } as SendSandboxEscrowEventInput),
    done: () => null,
    failed: 'The event was not sent',
    touches: [['sandbox'], ['orders']],
    quiet: true,
  });
  const refused = fieldErrorsOf(act.error, ['orderId', 'type', 'milestoneRef']);
  return (
    <Panel title="Send escrow event">
      {contracts.length === 0 ? (
        <Empty title="No contracts yet">Create the escrow of an order to send its events from here.</Empty>
      ) : (
        <form
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!act.isPending) act.mutate();
          }}
        >
          <SelectField
            label="Order"
            value={chosen}
            options={contracts.map((one) => ({ value: one.orderId, name: `${one.orderId}, ${one.amount}` }))}
            error={refused.orderId}
            onChange={(event) => setOrderId(event.target.value)}
          />
          <SelectField
            label="Event"
            value={type}
            options={ESCROW_EVENT_TYPES.map((value) => ({ value, name: value }))}
            error={refused.type}
            onChange={(event) => setType(event.target.value as typeof type)}
          />
          {isAboutMilestone ? (
            <TextField
              label="Milestone reference"
              value={milestoneRef}
              error={refused.milestoneRef}
              onChange={(event) => setMilestoneRef(event.target.value)}
            />
          ) : null}
          {refused[''] ? <ErrorNotice title="The event was not sent" error={act.error} /> : null}
          {act.data ? <Answer result={act.data} /> : null}
          <div className="row">
            <Button type="submit" isBusy={act.isPending}>
              Send signed event
            </Button>
          </div>
        </form>
      )}
    </Panel>
  );
};

const Answer = ({ result }: { readonly result: SendSandboxEscrowEventResult }) => (
  <Notice
    title={result.delivered ? `${result.type} was delivered` : `${result.type} was not delivered`}
    tone={result.delivered ? 'good' : 'warn'}
  >
    <p>
      {result.processed === true
        ? 'The server processed the event. If it already had this state, nothing changed.'
        : result.processed === false
          ? 'The server accepted the event and ignored it.'
          : 'The server did not answer.'}{' '}
      <span className="mono">{result.eventId}</span>
    </p>
  </Notice>
);
