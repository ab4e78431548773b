// The components of the service, polled every few seconds: status, response time and advice.

import '../../styles/table.css';
import type { GetDetailedHealthResult, Probe } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Figure, Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time, useNow } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { adviceOf, partName } from './advice.ts';

const POLL_MS = 10_000;

export const ProbePanel = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['health'],
    // The query polls anyway. A retry inside a request would hide that the server does not answer.
    queryFn: () => client.service.detailedHealth({ maxRetries: 0 }),
    refetchInterval: POLL_MS,
    staleTime: 0,
  });
  return (
    <Panel
      title="Components"
      flush
      actions={
        <Button tone="plain" icon="refresh" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Refresh
        </Button>
      }
    >
      {query.isError && query.data ? (
        <div className="panel-body">
          <ErrorNotice title="The service does not answer. The last known status is below" error={query.error} />
        </div>
      ) : null}
      <Loaded query={query} name="Health">
        {(health) => (
          <>
            <Summary health={health} isAway={query.isError} />
            <ProbeTable probes={health.probes} />
          </>
        )}
      </Loaded>
    </Panel>
  );
};

const WHOLE: Readonly<Record<GetDetailedHealthResult['status'], string>> = {
  ok: 'All systems operational',
  degraded: 'Degraded',
  down: 'Service disruption',
};

type SummaryProps = { readonly health: GetDetailedHealthResult; readonly isAway: boolean };

const Summary = ({ health, isAway }: SummaryProps) => (
  <div className="health-summary">
    <Figure name="Service">
      {isAway ? (
        <Status value="AWAY" tone="bad" words="Not answering" />
      ) : (
        <Status value={health.status} words={WHOLE[health.status]} />
      )}
    </Figure>
    <Figure name="Version">{health.version}</Figure>
    <Figure name="Uptime">
      <Uptime health={health} />
    </Figure>
    <Figure name="Checked">
      <Time value={health.checkedAt} />
    </Figure>
  </div>
);

const Uptime = ({ health: { uptimeSeconds, checkedAt } }: { readonly health: GetDetailedHealthResult }) => {
  // Counts on between two answers.
  const since = Math.max(0, Math.floor((useNow() - Date.parse(checkedAt)) / 1_000));
  return <span title={`${uptimeSeconds} seconds at the last check`}>{duration(uptimeSeconds + since)}</span>;
};

const duration = (seconds: number): string => {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min` : `${seconds} s`;
};

const RANK: Readonly<Record<Probe['status'], number>> = { down: 0, degraded: 1, ok: 2, not_configured: 2 };

/** Unhealthy components come first; the rest keeps the order of the service. */
const byNeed = (probes: readonly Probe[]): readonly Probe[] =>
  [...probes].sort((one, other) => RANK[one.status] - RANK[other.status]);

const ProbeTable = ({ probes }: { readonly probes: readonly Probe[] }) => (
  <div className="table-box health-parts">
    <table className="table">
      <caption className="hidden-text">Components of the service</caption>
      <thead>
        <tr>
          <th scope="col">Component</th>
          <th scope="col">Status</th>
          <th scope="col">Details</th>
          <th scope="col" data-align="end">
            Response time
          </th>
        </tr>
      </thead>
      <tbody>
        {byNeed(probes).map((probe) => (
          <tr key={probe.name}>
            <td data-label="Component">
              <strong>{partName(probe.name)}</strong>
            </td>
            <td data-label="Status">
              <Status value={probe.status} />
            </td>
            <td data-label="Details" className="health-detail">
              <div>
                {probe.detail}
                <Advice probe={probe} />
              </div>
            </td>
            <td data-label="Response time" data-align="end" className="amount">
              {probe.durationMs} ms
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Advice = ({ probe }: { readonly probe: Probe }) => {
  const advice = adviceOf(probe);
  if (!advice) return null;
  return (
    <p className="health-advice">
      {advice.text} {advice.to ? <Link to={advice.to.path}>{advice.to.name}</Link> : null}
    </p>
  );
};
