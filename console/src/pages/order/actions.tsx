// The actions of an order. Each one opens a confirmation with its effects. A long operation continues without the page.

import type { Order } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice, errorTitle } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { plural } from '../../plural.ts';
import { useClient, useDenial } from '../../session.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { type ActionName, actionsFor } from './action-table.ts';
import { Progress } from './progress.tsx';
import { type ActionFields, doneMessage, EMPTY_FIELDS, FAILED, runAction } from './run-action.ts';

type RequestedAction = { readonly action: ActionName; readonly fields: ActionFields };

export const ActionsPanel = ({ order }: { readonly order: Order }) => {
  const client = useClient();
  const writeDenial = useDenial('write');
  const [chosen, setChosen] = useState<ActionName | null>(null);
  const [fields, setFields] = useState<ActionFields>(EMPTY_FIELDS);
  const act = useAction<Order, RequestedAction>({
    run: (request) => runAction(client, { id: order.id, ...request }),
    done: (after, { action }) => doneMessage(after, action),
    failed: 'The action failed',
    touches: [['orders'], ['users']],
    quiet: true,
    onDone: () => setChosen(null),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error of an earlier status is outdated
  useEffect(() => {
    if (act.isError) act.reset();
  }, [order.status]);
  const actions = actionsFor(order);
  // The dialog closes when the server has accepted the operation.
  const isTaken = act.isPending && order.operation !== null;
  const shown = isTaken ? undefined : actions.find(({ name }) => name === chosen);
  const busy = order.operation ? 'An operation is in progress for this order.' : null;

  const open = (name: ActionName): void => {
    act.reset();
    setFields(EMPTY_FIELDS);
    setChosen(name);
  };

  return (
    <Panel title="Actions">
      <div className="stack">
        <Progress order={order} pending={act.isPending ? (act.variables?.action ?? null) : null} />
        {act.error && !shown ? (
          <ErrorNotice title={errorTitle(FAILED[act.variables?.action ?? 'reserve'], act.error)} error={act.error} />
        ) : null}
        {actions.length > 0 ? (
          <div className="order-actions">
            {actions.map(({ name, verb, tone, against }) => (
              <Button
                key={name}
                {...(tone ? { tone } : {})}
                reason={writeDenial ?? busy ?? against?.(order)}
                onClick={() => open(name)}
              >
                {verb}
              </Button>
            ))}
          </div>
        ) : null}
        {writeDenial && actions.length > 0 ? <p className="soft">{writeDenial}</p> : null}
        {!writeDenial && !busy ? <Hint order={order} /> : null}
      </div>
      {shown ? (
        <ActionDialog
          order={order}
          action={shown}
          fields={fields}
          onFields={setFields}
          isBusy={act.isPending}
          error={act.error}
          onClose={() => setChosen(null)}
          onConfirm={() => act.mutate({ action: shown.name, fields })}
        />
      ) : null}
    </Panel>
  );
};

/** The next step, where the buttons do not show it. */
const Hint = ({ order }: { readonly order: Order }) => {
  if (order.status === 'CLOSED') return <p className="soft">The order is closed. No further actions are possible.</p>;
  if (order.status === 'DISPUTED') {
    return (
      <p>
        The order is in dispute. <Link to={`/disputes/${order.dispute?.id ?? ''}`}>Resolve dispute</Link>
      </p>
    );
  }
  if (order.status === 'ESCROW_CREATING') {
    return <p className="soft">Waiting for the contract address. The order continues automatically.</p>;
  }
  const open = order.milestones.filter(({ status }) => status === 'OPEN').length;
  if (order.status === 'IN_PROGRESS' && open > 0) {
    return <p className="soft">{plural(open, 'milestone')} must be completed before the release.</p>;
  }
  return null;
};
