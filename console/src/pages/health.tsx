// How the service is: its parts, what it does by itself, what is under way with the outside systems, and its settings.

import '../styles/health.css';
import { PageHeader } from '../parts/page-header.tsx';
import { JobPanel } from './health/jobs.tsx';
import { OperationPanel } from './health/operations.tsx';
import { ProbePanel } from './health/probes.tsx';
import { SettingsPanel } from './health/settings.tsx';

export const Component = () => (
  <>
    <PageHeader title="Health" text="Every part of the service as it answers now, and what to do when one does not." />
    <ProbePanel />
    <OperationPanel />
    <JobPanel />
    <SettingsPanel />
  </>
);
