// The health page: components, operations, jobs and settings.

import '../styles/health.css';
import { PageHeader } from '../parts/page-header.tsx';
import { JobPanel } from './health/jobs.tsx';
import { OperationPanel } from './health/operations.tsx';
import { ProbePanel } from './health/probes.tsx';
import { SettingsPanel } from './health/settings.tsx';

export const Component = () => (
  <>
    <PageHeader title="Health" text="The current status of each component, and what to do when one fails." />
    <ProbePanel />
    <OperationPanel />
    <JobPanel />
    <SettingsPanel />
  </>
);
