// The button that runs a failed job again at once.

import type { JobReport } from '@holdfast/sdk';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { useClient } from '../../session.tsx';

export const RetryJob = ({ job: { name, lastOutcome } }: { readonly job: JobReport }) => {
  const client = useClient();
  const retry = useAction({
    run: () => client.service.retryJob(name),
    done: () => ({ title: `The job ${name} runs again`, text: 'The list shows how it ends.' }),
    failed: 'The job was not started',
    touches: [['jobs'], ['alerts']],
  });
  if (lastOutcome !== 'failed') return null;
  return (
    <Button icon="refresh" isBusy={retry.isPending} aria-label={`Retry ${name}`} onClick={() => retry.mutate()}>
      Retry
    </Button>
  );
};
