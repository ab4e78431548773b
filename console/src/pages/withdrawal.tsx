// One withdrawal: its progress, destination, history and actions.

import '../styles/payments.css';
import type { Withdrawal } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { lineOf, StateLine } from '../parts/charts/state-line.tsx';
import { offersForWithdrawal } from '../parts/corrections/correction-kinds.ts';
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
import { destinationOf } from './withdrawals/destination.ts';
import { WithdrawalActions } from './withdrawals/withdrawal-actions.tsx';

const USUAL = ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_COMPLETED'];
const ALTERNATIVES = { WITHDRAWAL_PENDING_USER_ACTION: 'WITHDRAWAL_PENDING' };
/** A withdrawal on the ledger is never pending at a provider. */
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
        badge={query.data ? <Status value={query.data.status} /> : null}
        parent={{ name: 'Withdrawals', to: '/withdrawals' }}
        text={<Id value={id} link={false} whole />}
        actions={query.data ? <WithdrawalActions withdrawal={query.data} /> : null}
      />
      <Loaded query={query} name="Withdrawal">
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
      <Panel title="Progress">
        <div className="pay-amount">
          <Amount value={withdrawal.amount} currency={withdrawal.currency} size="figure" />
          <span>
            from <UserName id={withdrawal.userId} />
          </span>
        </div>
        <StateLine
          label="Withdrawal progress"
          steps={lineOf({ ...withdrawal, entered, usual, alternatives: ALTERNATIVES })}
        />
      </Panel>
      <NextStep withdrawal={withdrawal} />
      <div className="pay-record">
        <div className="stack">
          <CorrectionsPanel resourceId={withdrawal.id} offers={offersForWithdrawal(withdrawal)} />
          <HistoryPanel resourceType="Withdrawal" resourceId={withdrawal.id} />
          <NotesPanel resourceType="withdrawal" resourceId={withdrawal.id} />
        </div>
        <Panel title="Details">
          <Facts
            rows={[
              ['Destination', destinationOf(destination.type).name],
              ...optionalRow(destination.ref, ['Label', destination.ref]),
              ...optionalRow(destination.email, ['E-mail', destination.email]),
              ...optionalRow(destination.address, [
                'Address',
                <Id key="address" value={destination.address} link={false} />,
              ]),
              ...optionalRow(destination.memo ?? null, ['Memo', `${destination.memo} (${destination.memoType})`]),
              ...optionalRow(withdrawal.providerPayoutId, [
                'Provider payout ID',
                <Id key="payout" value={withdrawal.providerPayoutId} link={false} />,
              ]),
              ...optionalRow(withdrawal.transactionHash, [
                'Ledger transaction',
                <Id key="hash" value={withdrawal.transactionHash} link={false} />,
              ]),
              ...optionalRow(withdrawal.failureReason, ['Failure reason', withdrawal.failureReason]),
              ...optionalRow(withdrawal.errorCode, ['Provider error code', withdrawal.errorCode]),
              ...optionalRow(withdrawal.canceledBy, ['Canceled by', withdrawal.canceledBy]),
              ['Committed', <Time key="committed" value={withdrawal.committedAt} exact />],
              ['Paid', <Time key="paid" value={withdrawal.completedAt} exact />],
              ['Created', <Time key="created" value={withdrawal.createdAt} exact />],
              ['Updated', <Time key="updated" value={withdrawal.updatedAt} exact />],
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
        <Notice title="Paid out" tone="good">
          <p>
            <Amount value={withdrawal.amount} currency={withdrawal.currency} /> was paid out of the balance.{' '}
            <Link to={`/users/${withdrawal.userId}?tab=statement`}>View statement</Link>
          </p>
        </Notice>
      );
    case 'WITHDRAWAL_FAILED':
    case 'WITHDRAWAL_CANCELED':
      return (
        <Notice title="Not paid out" tone="warn">
          <p>
            {failureReason ? `Reason: “${failureReason}”.` : 'No reason was given.'} The amount that was not paid is
            available again. You can create a new withdrawal at any time.
          </p>
        </Notice>
      );
    case 'WITHDRAWAL_CREATED':
      return (
        <Notice title="Waiting for commit">
          <p>
            The amount is reserved. Commit the withdrawal to pay it out. Otherwise it is canceled after one day and the
            amount becomes available again.
          </p>
        </Notice>
      );
    default:
      return (
        <Notice title={status === 'WITHDRAWAL_PENDING_USER_ACTION' ? 'Waiting for the user' : 'Payout in progress'}>
          {actionRequired ? (
            <p>
              {actionRequired} {actionUrl ? <SafeLink href={actionUrl} name="Open action page" /> : null}
            </p>
          ) : (
            <p>No action is needed. This page updates automatically.</p>
          )}
          {isSandbox && destination.type !== 'crypto' ? (
            <p>
              Sandbox: <Link to="/sandbox#payments">simulate the payout</Link>.
            </p>
          ) : null}
        </Notice>
      );
  }
};
