// One request that waits or was decided: who asked, what it would do now, and the decision.

import '../../styles/operators.css';
import type { Approval } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { isolateBidi } from '../../parts/bidi.ts';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { usePreview } from '../../parts/money/preview.ts';
import { PreviewPanel } from '../../parts/money/preview-panel.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Facts, optionalRow, Panel } from '../../parts/panel.tsx';
import { SimulatedTime } from '../../parts/simulated-time.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useSession } from '../../session.tsx';
import { approvalWords, whoWords } from './approval-words.ts';
import { Decisions } from './decisions.tsx';
import { useFiguresOf } from './figures.ts';

const PARENT = { name: 'Approvals', to: '/approvals' };

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({ queryKey: ['approvals', id], queryFn: () => client.approvals.get(id) });
  if (query.data) return <ApprovalPage approval={query.data} />;
  return (
    <>
      <PageHeader title="Approval" parent={PARENT} />
      <Loaded query={query} name="The request">
        {() => null}
      </Loaded>
    </>
  );
};

const ApprovalPage = ({ approval }: { readonly approval: Approval }) => {
  const { me } = useSession();
  const isOwn = approval.requestedBy.id === me.apiKeyId;
  const isPending = approval.status === 'PENDING';
  return (
    <>
      <PageHeader
        title={approvalWords(approval.action)}
        badge={<Status value={approval.status} />}
        parent={PARENT}
        text={`Requested by ${isolateBidi(whoWords(approval.requestedBy))}.`}
        actions={isPending ? <Decisions approval={approval} isOwn={isOwn} /> : undefined}
      />
      {isPending && isOwn ? <OwnNotice /> : null}
      <Outcome approval={approval} />
      {isPending && !isOwn ? (
        <Panel title="What it would do now">
          <Figures approval={approval} />
        </Panel>
      ) : null}
      <Panel title="Details">
        <Details approval={approval} />
      </Panel>
      <Panel title="Request">
        <Request approval={approval} />
      </Panel>
    </>
  );
};

const OwnNotice = () => (
  <Notice title="You asked for this, so another person decides" tone="warn">
    <p>An own request cannot be approved. You can cancel it while it waits.</p>
  </Notice>
);

const Figures = ({ approval }: { readonly approval: Approval }) => {
  const asking = useFiguresOf(approval);
  return <PreviewPanel asking={asking} previewed={usePreview(asking)} />;
};

const SENTENCES: Readonly<Partial<Record<Approval['status'], string>>> = {
  APPROVING: 'Approved. An outside system has not answered yet; this page updates by itself.',
  APPROVED: 'Approved and carried out once.',
  REJECTED: 'Rejected. Nothing moved.',
  CANCELED: 'Canceled by the requester. Nothing moved.',
  EXPIRED: 'Expired before a decision. Nothing moved.',
  FAILED: 'Approved, but it could not be carried out. Nothing moved.',
};

const TONES: Readonly<Partial<Record<Approval['status'], 'good' | 'bad'>>> = { APPROVED: 'good', FAILED: 'bad' };

const Outcome = ({ approval: { status, reason, error, decidedBy } }: { readonly approval: Approval }) => {
  const sentence = SENTENCES[status];
  if (!sentence) return null;
  const tone = TONES[status];
  return (
    <Notice title={sentence} {...(tone ? { tone } : {})}>
      {decidedBy ? <p>Decided by {isolateBidi(whoWords(decidedBy))}.</p> : null}
      {reason ? <p>Reason: “{isolateBidi(reason)}”</p> : null}
      {error ? (
        <p>
          {error.message} <span className="notice-small">{error.code}</span>
        </p>
      ) : null}
    </Notice>
  );
};

const Details = ({ approval }: { readonly approval: Approval }) => {
  const { amount, currency, orderId, userId, requestedBy, decidedBy, decidedAt } = approval;
  return (
    <Facts
      rows={[
        ...optionalRow(amount, [
          'Amount',
          <Amount key="amount" value={amount ?? undefined} {...(currency ? { currency } : {})} />,
        ]),
        ...optionalRow(orderId, ['Order', <Id key="order" value={orderId} />]),
        ...optionalRow(userId, ['User', <Id key="user" value={userId} />]),
        ['Requested by', <Who key="by" actor={requestedBy} />],
        ['Requested', <Time key="at" value={approval.createdAt} exact />],
        ['Expires', <SimulatedTime key="until" value={approval.expiresAt} exact />],
        ...(decidedBy ? [['Decided by', <Who key="decided" actor={decidedBy} />] as const] : []),
        ...optionalRow(decidedAt, ['Decided', <Time key="decidedAt" value={decidedAt} exact />]),
        ['ID', <Id key="id" value={approval.id} link={false} />],
      ]}
    />
  );
};

const Who = ({ actor }: { readonly actor: Approval['requestedBy'] }) =>
  actor.type === 'operator' ? (
    <Link to={`/operators/${actor.id}`}>{isolateBidi(actor.name)}</Link>
  ) : (
    isolateBidi(whoWords(actor))
  );

const Request = ({ approval: { request } }: { readonly approval: Approval }) => (
  <div className="stack-tight">
    <p className="mono approval-path">
      {request.method} {request.path}
    </p>
    <section aria-label="Body of the request">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls sideways, and the keyboard must reach it */}
      <pre className="approval-body" tabIndex={0}>
        {JSON.stringify(request.body, null, 2)}
      </pre>
    </section>
  </div>
);
