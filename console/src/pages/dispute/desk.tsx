// What is done about a dispute: somebody takes it up, somebody decides it, and then it stands.

import type { DisputeWithOrder } from '@holdfast/sdk';
import { Panel } from '../../parts/panel.tsx';
import { Progress } from '../order/progress.tsx';
import { AssignForm } from './assign.tsx';
import { Outcome } from './outcome.tsx';
import { ResolveForm } from './resolve.tsx';

export const DeskPanel = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
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
