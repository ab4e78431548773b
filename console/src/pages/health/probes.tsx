// The parts of the service, asked again every few seconds: how each is, how long it took to answer, and what to do.

import type { GetDetailedHealthResult, Probe } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { Figure, Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time, useNow } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { adviceOf, partName } from './advice.ts';

const LOOK_EVERY_MS = 10_000;

export const ProbePanel = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['health'],
    // It asks again by itself soon enough: repeating inside would only hide that nobody answers.
    queryFn: () => client.service.detailedHealth({ maxRetries: 0 }),
    refetchInterval: LOOK_EVERY_MS,
    staleTime: 0,
  });
  return (
    <Panel
      title="Parts"
      flush
      actions={
        <Button tone="plain" icon="refresh" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Ask again
        </Button>
      }
    >
      {query.isError && query.data ? (
        <div className="panel-body">
          <Trouble title="The service does not answer; below is what it said last" error={query.error} />
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
  ok: 'Everything is well',
  degraded: 'It works, but not all of it',
  down: 'A part is down',
};

type SummaryProps = { readonly health: GetDetailedHealthResult; readonly isAway: boolean };

const Summary = ({ health, isAway }: SummaryProps) => (
  <div className="health-summary">
    <Figure name="The service">
      {isAway ? (
        <Status value="AWAY" tone="bad" words="Does not answer" />
      ) : (
        <Status value={health.status} words={WHOLE[health.status]} />
      )}
    </Figure>
    <Figure name="Version">{health.version}</Figure>
    <Figure name="Running for">
      <Uptime health={health} />
    </Figure>
    <Figure name="Asked">
      <Time value={health.checkedAt} />
    </Figure>
  </div>
);

const Uptime = ({ health: { uptimeSeconds, checkedAt } }: { readonly health: GetDetailedHealthResult }) => {
  // Goes on between two answers.
  const since = Math.max(0, Math.floor((useNow() - Date.parse(checkedAt)) / 1_000));
  return <span title={`${uptimeSeconds} seconds when it was asked`}>{duration(uptimeSeconds + since)}</span>;
};

const duration = (seconds: number): string => {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min` : `${seconds} s`;
};

const RANK: Readonly<Record<Probe['status'], number>> = { down: 0, degraded: 1, ok: 2, not_configured: 2 };

/** What needs somebody comes first; the rest stays as the service tells it. */
const byNeed = (probes: readonly Probe[]): readonly Probe[] =>
  [...probes].sort((one, other) => RANK[one.status] - RANK[other.status]);

const ProbeTable = ({ probes }: { readonly probes: readonly Probe[] }) => (
  <div className="table-box health-parts">
    <table className="table">
      <caption className="hidden-text">Parts of the service</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Status</th>
          <th scope="col">What it says</th>
          <th scope="col" data-align="end">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {byNeed(probes).map((probe) => (
          <tr key={probe.name}>
            <td data-label="Part">
              <strong>{partName(probe.name)}</strong>
            </td>
            <td data-label="Status">
              <Status value={probe.status} />
            </td>
            <td data-label="It says" className="health-detail">
              <div>
                {probe.detail}
                <Advice probe={probe} />
              </div>
            </td>
            <td data-label="Took" data-align="end" className="amount">
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
