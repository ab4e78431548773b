// The scheduled jobs with their last run and its outcome.

import type { JobReport } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { JOB_EXPORT } from '../../exports/service.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { wholeList } from '../../parts/lists/paged.ts';
import { Empty, Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { plural } from '../../plural.ts';
import { useClient, useDenial } from '../../session.tsx';
import { RetryJob } from './retry-job.tsx';

const POLL_MS = 15_000;

export const JobPanel = () => {
  const client = useClient();
  const reason = useDenial('support');
  const query = useQuery({
    queryKey: ['jobs'],
    enabled: reason === null,
    queryFn: () => client.service.jobs(),
    refetchInterval: POLL_MS,
  });
  if (reason) {
    return (
      <Panel title="Jobs">
        <Notice title="This key cannot view jobs">
          <p>Jobs require the “support” scope. Sign in with a key that has it.</p>
        </Notice>
      </Panel>
    );
  }
  const paged = wholeList(query);
  return (
    <Panel title="Jobs" flush actions={<ExportButton label="Jobs" paged={paged} exported={JOB_EXPORT} />}>
      <div className="health-jobs">
        <DataTable
          label="Jobs"
          columns={[
            { name: 'Job', cell: (job) => <JobName job={job} /> },
            { name: 'Schedule', phone: 'under', cell: ({ schedule }) => <Schedule cron={schedule} /> },
            {
              name: 'Last run',
              phone: 'time',
              cell: ({ lastRunAt }) => (lastRunAt ? <Time value={lastRunAt} /> : <NotYet />),
            },
            { name: 'Outcome', phone: 'value', cell: (job) => <Outcome job={job} /> },
            {
              name: 'Failed runs',
              align: 'end',
              cell: ({ failedRuns }) => (
                <span className="amount" title="Failed runs since the server started, including retries">
                  {failedRuns}
                </span>
              ),
            },
            { name: 'Actions', align: 'end', cell: (job) => <RetryJob job={job} /> },
          ]}
          paged={paged}
          rowKey={({ name }) => name}
          empty={
            <Empty title="No scheduled jobs">
              Jobs are scheduled shortly after the server starts. Refresh in a moment.
            </Empty>
          }
        />
      </div>
    </Panel>
  );
};

const NotYet = () => <span className="soft">not yet</span>;

const JobName = ({ job }: { readonly job: JobReport }) => (
  <span className="health-job">
    <strong>{job.name}</strong>
    <span className="soft">{job.purpose}</span>
  </span>
);

const Outcome = ({ job: { lastOutcome, lastProblem } }: { readonly job: JobReport }) => {
  if (!lastOutcome) return <NotYet />;
  return (
    <span className="health-job">
      <Status value={lastOutcome === 'failed' ? 'FAILED' : 'SUCCEEDED'} />
      {lastProblem ? <span className="health-problem">{lastProblem}</span> : null}
    </span>
  );
};

/** Common schedules in words; any other as its cron expression. */
const scheduleWords = (cron: string): string => {
  const minutes = /^\*\/(\d+) \* \* \* \*$/.exec(cron)?.[1];
  if (cron === '* * * * *') return 'every minute';
  if (minutes) return `every ${plural(Number(minutes), 'minute')}`;
  const shifted = /^(\d+)-59\/(\d+) \* \* \* \*$/.exec(cron);
  if (shifted) return `every ${shifted[2]} minutes from :${shifted[1]!.padStart(2, '0')}`;
  const hourly = /^(\d+) \* \* \* \*$/.exec(cron)?.[1];
  if (hourly) return `every hour at :${hourly.padStart(2, '0')}`;
  const daily = /^(\d+) (\d+) \* \* \*$/.exec(cron);
  return daily ? `daily at ${daily[2]!.padStart(2, '0')}:${daily[1]!.padStart(2, '0')} UTC` : cron;
};

const Schedule = ({ cron }: { readonly cron: string }) => <span title={`${cron} (UTC)`}>{scheduleWords(cron)}</span>;
