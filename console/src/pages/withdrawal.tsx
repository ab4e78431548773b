// One withdrawal: where it is on its way, whom it pays, and what can be done about it.

import '../styles/payments.css';
import type { Withdrawal } from '@holdfast/sdk';
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
import { destinationOf } from './withdrawals/destination.ts';
import { WithdrawalActions } from './withdrawals/withdrawal-actions.tsx';

const USUAL = ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_COMPLETED'];
const BESIDE = { WITHDRAWAL_PENDING_USER_ACTION: 'WITHDRAWAL_PENDING' };
/** Over the ledger there is nobody who could have it pending. */
const USUAL_ON_LEDGER = USUAL.filter((state) => state !== 'WITHDRAWAL_PENDING');

const ENTERED = {
  WITHDRAWAL_CREATED: 'WITHDRAWAL_CREATED',
  WITHDRAWAL_COMMITTED: 'WITHDRAWAL_COMMITTED',
  WITHDRAWAL_PENDING: 'WITHDRAWAL_PENDING',
  WITHDRAWAL_PENDING_USER_ACTION: 'WITHDRAWAL_PENDING_USER_ACTION',
  WITHDRAWAL_COMPLETED: 'WITHDRAWAL_COMPLETED',
  WITHDRAWAL_FAILED: 'WITHDRAWAL_FAILED',
  WITHDRAWAL_CANCELED: 'WITHDRAWAL_CANCELED',
} as const;

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({ queryKey: ['withdrawals', id], queryFn: () => client.withdrawals.get(id) });
  return (
    <>
      <PageHeader
        title="Withdrawal"
        beside={query.data ? <Status value={query.data.status} /> : null}
        above={{ name: 'Withdrawals', to: '/withdrawals' }}
        text={<Id value={id} link={false} whole />}
        actions={query.data ? <WithdrawalActions withdrawal={query.data} /> : null}
      />
      <Loaded query={query} name="The withdrawal">
        {(withdrawal) => <WithdrawalBody withdrawal={withdrawal} />}
      </Loaded>
    </>
  );
};

const WithdrawalBody = ({ withdrawal }: { readonly withdrawal: Withdrawal }) => {
  const { destination } = withdrawal;
  const history = useHistory({ resourceType: 'Withdrawal', resourceId: withdrawal.id });
  const usual = destination.type === 'crypto' ? USUAL_ON_LEDGER : USUAL;
  const entered = enteredStates(history.data, ENTERED);
  return (
    <>
      <Panel title="Its way">
        <div className="pay-amount">
          <Amount value={withdrawal.amount} currency={withdrawal.currency} size="figure" />
          <span>
            of <UserName id={withdrawal.userId} />
          </span>
        </div>
        <StateLine label="States of the withdrawal" steps={lineOf({ ...withdrawal, entered, usual, beside: BESIDE })} />
      </Panel>
      <NextStep withdrawal={withdrawal} />
      <div className="pay-record">
        <HistoryPanel resourceType="Withdrawal" resourceId={withdrawal.id} />
        <Panel title="Details">
          <Facts
            rows={[
              ['Goes to', destinationOf(destination.type).name],
              ...only(destination.ref, ['Label', destination.ref]),
              ...only(destination.email, ['E-mail', destination.email]),
              ...only(destination.address, ['Address', <Id key="address" value={destination.address} link={false} />]),
              ...only(withdrawal.providerPayoutId, [
                'Payout at the provider',
                <Id key="payout" value={withdrawal.providerPayoutId} link={false} />,
              ]),
              ...only(withdrawal.transactionHash, [
                'Ledger transaction',
                <Id key="hash" value={withdrawal.transactionHash} link={false} />,
              ]),
              ...only(withdrawal.failureReason, ['Why it ended', withdrawal.failureReason]),
              ...only(withdrawal.errorCode, ['Code', withdrawal.errorCode]),
              ...only(withdrawal.canceledBy, ['Cancelled by', withdrawal.canceledBy]),
              ['Committed', <Time key="committed" value={withdrawal.committedAt} exact />],
              ['Paid', <Time key="paid" value={withdrawal.completedAt} exact />],
              ['Created', <Time key="created" value={withdrawal.createdAt} exact />],
              ['Last changed', <Time key="updated" value={withdrawal.updatedAt} exact />],
            ]}
          />
        </Panel>
      </div>
    </>
  );
};

const NextStep = ({ withdrawal }: { readonly withdrawal: Withdrawal }) => {
  const isSandbox = useConfig()?.sandbox === true;
  const { status, destination, failureReason, actionRequired, actionUrl } = withdrawal;
  switch (status) {
    case 'WITHDRAWAL_COMPLETED':
      return (
        <Notice title="Paid" tone="good">
          <p>
            <Amount value={withdrawal.amount} currency={withdrawal.currency} /> has left the balance.{' '}
            <Link to={`/users/${withdrawal.userId}?tab=statement`}>See the statement</Link>
          </p>
        </Notice>
      );
    case 'WITHDRAWAL_FAILED':
    case 'WITHDRAWAL_CANCELED':
      return (
        <Notice title="It was not paid" tone="warn">
          <p>
            {failureReason ? `The reason given: “${failureReason}”.` : 'No reason was given.'} What was certainly not
            paid is available again; a new withdrawal can be made at any time.
          </p>
        </Notice>
      );
    case 'WITHDRAWAL_CREATED':
      return (
        <Notice title="It waits to be committed">
          <p>The amount is set aside. Commit it to have it paid; after a day it goes back to the balance by itself.</p>
        </Notice>
      );
    default:
      return (
        <Notice title={status === 'WITHDRAWAL_PENDING_USER_ACTION' ? 'It waits for the user' : 'It is on its way'}>
          {actionRequired ? (
            <p>
              {actionRequired} {actionUrl ? <SafeLink href={actionUrl} name="Where" /> : null}
            </p>
          ) : (
            <p>Nothing is to be done: this page changes by itself when whoever pays it has news.</p>
          )}
          {isSandbox && destination.type !== 'crypto' ? (
            <p>
              Nobody pays here: <Link to="/sandbox#payments">decide it in the sandbox</Link>.
            </p>
          ) : null}
        </Notice>
      );
  }
};
