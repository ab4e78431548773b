// What is done about a dispute: somebody takes it up, somebody decides it, and then it stands.

import type { DisputeWithOrder } from '@holdfast/sdk';
import { useEffect, useRef } from 'react';
import { Panel } from '../../parts/panel.tsx';
import { Progress } from '../order/progress.tsx';
import { AssignForm } from './assign.tsx';
import { Outcome } from './outcome.tsx';
import { ResolveForm } from './resolve.tsx';

export const DeskPanel = (props: { readonly dispute: DisputeWithOrder }) => {
  const desk = useRef<HTMLDivElement>(null);
  const { status } = props.dispute;
  const before = useRef(status);
  // The button that was pressed is gone: the keyboard goes on at what came of it, unless it is busy elsewhere.
  useEffect(() => {
    const isLost = document.activeElement === document.body || desk.current?.contains(document.activeElement);
    if (before.current !== status && isLost) desk.current?.focus();
    before.current = status;
  }, [status]);
  return (
    <div ref={desk} tabIndex={-1} className="dispute-result">
      <Desk {...props} />
    </div>
  );
};

const Desk = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  if (dispute.status === 'OPEN') {
    return (
      <Panel title="Take it up">
        <AssignForm dispute={dispute} />
      </Panel>
    );
  }
  if (dispute.status === 'RESOLVED') {
    return (
      <Panel title="How it was decided">
        <Outcome dispute={dispute} />
      </Panel>
    );
  }
  return (
    <Panel title="Decide">
      <div className="stack">
        <Progress order={dispute.order} />
        <ResolveForm dispute={dispute} />
      </div>
    </Panel>
  );
};
