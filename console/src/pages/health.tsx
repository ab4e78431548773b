// The health page: components, the hold of payments, operations, jobs and settings.

import '../styles/health.css';
import { PageHeader } from '../parts/page-header.tsx';
import { JobPanel } from './health/jobs.tsx';
import { OperationPanel } from './health/operations.tsx';
import { PaymentHoldPanel } from './health/payment-hold.tsx';
import { ProbePanel } from './health/probes.tsx';
import { SettingsPanel } from './health/settings.tsx';

export const Component = () => (
  <>
    <PageHeader title="Health" text="The current status of each component, and what to do when one fails." />
    <ProbePanel />
    <PaymentHoldPanel />
    <OperationPanel />
    <JobPanel />
    <SettingsPanel />
  </>
);
