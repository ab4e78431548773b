// One top-up: its progress, the confirmation link of the payer, its history and its actions.

import '../styles/payments.css';
import type { TopUp } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { lineOf, StateLine } from '../parts/charts/state-line.tsx';
import { offersForTopup } from '../parts/corrections/correction-kinds.ts';
import { CorrectionsPanel } from '../parts/corrections/corrections-panel.tsx';
import { Id } from '../parts/id.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Amount } from '../parts/money/amount.tsx';
import { UserName } from '../parts/names.tsx';
import { NotesPanel } from '../parts/notes.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Facts, optionalRow, Panel } from '../parts/panel.tsx';
import { SafeLink } from '../parts/safe-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useClient, useConfig } from '../session.tsx';
import { enteredStates, HistoryPanel, useHistory } from './payments/history.tsx';
import { isOver, TopupActions } from './topups/topup-actions.tsx';

const USUAL = ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING', 'TOPUP_SUCCEEDED'];

const ENTERED = {
  TOPUP_CREATED: 'TOPUP_CREATED',
  TOPUP_CONFIRMATION_REQUIRED: 'TOPUP_AWAITING_USER_CONFIRMATION',
  TOPUP_PROCESSING: 'TOPUP_PROCESSING',
  TOPUP_SUCCEEDED: 'TOPUP_SUCCEEDED',
  TOPUP_FAILED: 'TOPUP_FAILED',
  TOPUP_CANCELED: 'TOPUP_CANCELED',
} as const;

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({ queryKey: ['topups', id], queryFn: () => client.topups.get(id) });
  return (
    <>
      <PageHeader
        title="Top-up"
        badge={query.data ? <Status value={query.data.status} /> : null}
        parent={{ name: 'Top-ups', to: '/topups' }}
        text={<Id value={id} link={false} whole />}
        actions={query.data ? <TopupActions topup={query.data} /> : null}
      />
      <Loaded query={query} name="Top-up">
        {(topup) => <TopupBody topup={topup} />}
      </Loaded>
    </>
  );
};

const TopupBody = ({ topup }: { readonly topup: TopUp }) => {
  const isSandbox = useConfig()?.sandbox === true;
  const history = useHistory({ resourceType: 'TopUp', resourceId: topup.id });
  const steps = lineOf({ ...topup, entered: enteredStates(history.data, ENTERED), usual: USUAL });
  return (
    <>
      <Panel title="Progress">
        <div className="pay-amount">
          <Amount value={topup.amount} currency={topup.currency} size="figure" />
          <span>
            for <UserName id={topup.userId} />
          </span>
        </div>
        <StateLine label="Top-up progress" steps={steps} />
      </Panel>
      <NextStep topup={topup} isSandbox={isSandbox} />
      <div className="pay-record">
        <div className="stack">
          <CorrectionsPanel resourceId={topup.id} offers={offersForTopup(topup)} />
          <HistoryPanel resourceType="TopUp" resourceId={topup.id} />
          <NotesPanel resourceType="topup" resourceId={topup.id} />
        </div>
        <Panel title="Details">
          <Facts
            rows={[
              ['Confirmation page', <SafeLink key="uri" href={topup.confirmationUri} />],
              ...optionalRow(topup.description, ['Description', topup.description]),
              ['Provider pay-in ID', <Id key="payin" value={topup.providerPayinId} link={false} />],
              ...optionalRow(topup.returnUrl, ['Return URL', <SafeLink key="return" href={topup.returnUrl} />]),
              ...optionalRow(topup.cancelUrl, ['Cancel URL', <SafeLink key="cancel" href={topup.cancelUrl} />]),
              ...optionalRow(topup.failureReason, ['Failure reason', topup.failureReason]),
              ...optionalRow(topup.errorCode, ['Provider error code', topup.errorCode]),
              ['Created', <Time key="created" value={topup.createdAt} exact />],
              ['Updated', <Time key="updated" value={topup.updatedAt} exact />],
            ]}
          />
        </Panel>
      </div>
    </>
  );
};

const NextStep = ({ topup, isSandbox }: { readonly topup: TopUp; readonly isSandbox: boolean }) => {
  const { status, userId } = topup;
  if (status === 'TOPUP_SUCCEEDED') {
    return (
      <Notice title="Paid and credited" tone="good">
        <p>
          <Amount value={topup.amount} currency={topup.currency} /> was credited to the balance.{' '}
          <Link to={`/users/${userId}?tab=statement`}>View statement</Link>
        </p>
      </Notice>
    );
  }
  if (isOver(topup)) {
    return (
      <Notice title={status === 'TOPUP_FAILED' ? 'Top-up failed' : 'Top-up canceled'} tone="warn">
        <p>
          {topup.failureReason ? `Reason: “${topup.failureReason}”.` : 'No reason was given.'} Nothing was credited. You
          can create a new top-up at any time.
        </p>
      </Notice>
    );
  }
  return (
    <Notice title={status === 'TOPUP_PROCESSING' ? 'Waiting for the provider' : 'Waiting for the payer'}>
      <p>
        {topup.confirmationUri ? (
          <>
            Send the payer to <SafeLink href={topup.confirmationUri} name="the confirmation page" />
          </>
        ) : (
          'The provider has not sent a confirmation page yet. Use “Check with provider”.'
        )}
      </p>
      {isSandbox ? (
        <p>
          Sandbox: <Link to="/sandbox#payments">simulate the payer</Link>.
        </p>
      ) : null}
    </Notice>
  );
};
