// One dispute: its details, the evidence, the history of both parties, and the resolution.

import '../styles/orders.css';
import '../styles/disputes.css';
import type { DisputeWithOrder } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { isolateBidi } from '../parts/bidi.ts';
import { Id } from '../parts/id.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Amount } from '../parts/money/amount.tsx';
import { orderTitle, UserName } from '../parts/names.tsx';
import { NotesPanel } from '../parts/notes.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Facts, Panel } from '../parts/panel.tsx';
import { Status, statusWords } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useClient } from '../session.tsx';
import { withConcernedAmount } from './dispute/concerned.ts';
import { EvidencePanel } from './dispute/evidence.tsx';
import { FilesPanel } from './dispute/files.tsx';
import { MessagesPanel } from './dispute/messages.tsx';
import { NextActionPanel } from './dispute/next-action.tsx';
import { PartyPanel } from './dispute/party.tsx';
import { POLL_MS } from './order/progress.tsx';

const PARENT = { name: 'Disputes', to: '/disputes' };

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({
    queryKey: ['disputes', id],
    queryFn: () => client.disputes.get(id),
    refetchInterval: ({ state }) => (state.data?.order.operation ? POLL_MS : false),
  });
  if (!query.data) {
    return (
      <>
        <PageHeader title="Dispute" parent={PARENT} text={<span className="mono">{id}</span>} />
        <Loaded query={query} name="Dispute">
          {() => null}
        </Loaded>
      </>
    );
  }
  return <DisputePage key={id} dispute={withConcernedAmount(query.data)} />;
};

const DisputePage = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  const { order } = dispute;
  return (
    <>
      <PageHeader
        title={`Dispute: ${isolateBidi(orderTitle(order))}`}
        badge={<Status value={dispute.status} />}
        parent={PARENT}
        text={
          <span className="row">
            <Id value={dispute.id} whole link={false} />
            <span>
              opened <Time value={dispute.createdAt} /> by the {dispute.openedBy.toLowerCase()}
            </span>
          </span>
        }
      />
      <div className="dispute-page">
        <div className="stack dispute-case">
          <CasePanel dispute={dispute} />
          <EvidencePanel evidence={dispute.evidence} />
          <FilesPanel dispute={dispute} />
          <MessagesPanel dispute={dispute} />
          <NotesPanel resourceType="dispute" resourceId={dispute.id} />
          <div className="dispute-parties">
            <PartyPanel side="buyer" userId={order.buyerId} order={order} />
            <PartyPanel side="seller" userId={order.sellerId} order={order} />
          </div>
        </div>
        <div className="stack dispute-side">
          <NextActionPanel dispute={dispute} />
        </div>
      </div>
    </>
  );
};

const CasePanel = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  const { order } = dispute;
  const done = order.milestones.filter(({ status }) => status !== 'OPEN').length;
  const milestone = order.milestones.find(({ ref }) => ref === dispute.milestoneRef);
  return (
    <Panel title="Details">
      <Facts
        rows={[
          ['Reason', <strong key="r">{statusWords(dispute.reason)}</strong>],
          [
            'Order',
            <Link key="o" to={`/orders/${order.id}`}>
              {orderTitle(order)}
            </Link>,
          ],
          ...(milestone ? ([['Milestone', isolateBidi(milestone.title)]] as const) : []),
          ['Amount in dispute', <Amount key="a" value={order.amount} currency={order.currency} />],
          ['Platform fee', `${order.platformFee} % of the seller’s share`],
          ['Buyer', <UserName key="b" id={order.buyerId} />],
          ['Seller', <UserName key="s" id={order.sellerId} />],
          ...(order.milestones.length > 0
            ? ([['Milestones', `${done} of ${order.milestones.length} completed`]] as const)
            : []),
          ['Escrow', order.escrow ? <Status key="e" value={order.escrow.status} /> : null],
          ['Assigned to', dispute.assignedTo ?? 'Unassigned'],
        ]}
      />
    </Panel>
  );
};
