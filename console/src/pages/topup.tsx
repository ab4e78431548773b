// One top-up: where it is on its way, where the payer confirms it, and what can be done about it.

import '../styles/payments.css';
import type { TopUp } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { Amount } from '../parts/amount.tsx';
import { Id } from '../parts/id.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { UserName } from '../parts/names.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Facts, Panel } from '../parts/panel.tsx';
import { SafeLink } from '../parts/safe-link.tsx';
import { lineOf, StateLine } from '../parts/state-line.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useClient } from '../session.tsx';
import { useConfig } from '../shell/config.ts';
import { enteredStates, HistoryPanel, useHistory } from './payments/history.tsx';
import { only } from './payments/only.ts';
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
        beside={query.data ? <Status value={query.data.status} /> : null}
        above={{ name: 'Top-ups', to: '/topups' }}
        text={<Id value={id} link={false} whole />}
        actions={query.data ? <TopupActions topup={query.data} /> : null}
      />
      <Loaded query={query} name="The top-up">
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
      <Panel title="Its way">
        <div className="pay-amount">
          <Amount value={topup.amount} currency={topup.currency} size="figure" />
          <span>
            for <UserName id={topup.userId} />
          </span>
        </div>
        <StateLine label="States of the top-up" steps={steps} />
      </Panel>
      <NextStep topup={topup} isSandbox={isSandbox} />
      <div className="pay-record">
        <HistoryPanel resourceType="TopUp" resourceId={topup.id} />
        <Panel title="Details">
          <Facts
            rows={[
              ['The payer confirms at', <SafeLink key="uri" href={topup.confirmationUri} />],
              ...only(topup.description, ['For', topup.description]),
              ['Payin at the provider', <Id key="payin" value={topup.providerPayinId} link={false} />],
              ...only(topup.returnUrl, ['Then goes to', <SafeLink key="return" href={topup.returnUrl} />]),
              ...only(topup.cancelUrl, ['Otherwise to', <SafeLink key="cancel" href={topup.cancelUrl} />]),
              ...only(topup.failureReason, ['Why it ended', topup.failureReason]),
              ...only(topup.errorCode, ['Code of the provider', topup.errorCode]),
              ['Created', <Time key="created" value={topup.createdAt} exact />],
              ['Last changed', <Time key="updated" value={topup.updatedAt} exact />],
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
          <Amount value={topup.amount} currency={topup.currency} /> is in the balance.{' '}
          <Link to={`/users/${userId}?tab=statement`}>See the statement</Link>
        </p>
      </Notice>
    );
  }
  if (isOver(topup)) {
    return (
      <Notice title={status === 'TOPUP_FAILED' ? 'It failed' : 'It was cancelled'} tone="warn">
        <p>
          {topup.failureReason ? `The reason given: “${topup.failureReason}”.` : 'No reason was given.'} Nothing was
          credited; a new top-up can be made at any time.
        </p>
      </Notice>
    );
  }
  return (
    <Notice title={status === 'TOPUP_PROCESSING' ? 'The provider is at it' : 'It waits for the payer'}>
      <p>
        {topup.confirmationUri ? (
          <>
            Send the payer to <SafeLink href={topup.confirmationUri} name="the confirmation page" />
          </>
        ) : (
          'The provider has not said yet where the payer confirms it; refresh it.'
        )}
      </p>
      {isSandbox ? (
        <p>
          No real payer here: <Link to="/sandbox#payments">decide it in the sandbox</Link>.
        </p>
      ) : null}
    </Notice>
  );
};
