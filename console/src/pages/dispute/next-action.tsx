// The action that a dispute needs next: assign it, resolve it, or show the outcome.

import type { DisputeWithOrder } from '@holdfast/sdk';
import { useEffect, useRef } from 'react';
import { Panel } from '../../parts/panel.tsx';
import { Progress } from '../order/progress.tsx';
import { AssignForm } from './assign.tsx';
import { Outcome } from './outcome.tsx';
import { ResolveForm } from './resolve.tsx';

export const NextActionPanel = (props: { readonly dispute: DisputeWithOrder }) => {
  const panel = useRef<HTMLDivElement>(null);
  const { status } = props.dispute;
  const before = useRef(status);
  // The pressed button is gone. The focus moves to the result, unless it is elsewhere on the page.
  useEffect(() => {
    const isLost = document.activeElement === document.body || panel.current?.contains(document.activeElement);
    if (before.current !== status && isLost) panel.current?.focus();
    before.current = status;
  }, [status]);
  return (
    <div ref={panel} tabIndex={-1} className="dispute-result">
      <NextAction {...props} />
    </div>
  );
};

const NextAction = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  if (dispute.status === 'OPEN') {
    return (
      <Panel title="Assign">
        <AssignForm dispute={dispute} />
      </Panel>
    );
  }
  if (dispute.status === 'RESOLVED') {
    return (
      <Panel title="Outcome">
        <Outcome dispute={dispute} />
      </Panel>
    );
  }
  return (
    <Panel title="Resolve">
      <div className="stack">
        <Progress order={dispute.order} />
        <ResolveForm dispute={dispute} />
      </div>
    </Panel>
  );
};
