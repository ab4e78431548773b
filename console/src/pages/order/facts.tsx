// The side panels of an order: escrow, dispute and details.

import type { Order } from '@holdfast/sdk';
import { Link } from 'react-router';
import { Id } from '../../parts/id.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { SplitStatus, Status, statusWords } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';

type Props = { readonly order: Order };

export const EscrowPanel = ({ order: { escrow, currency, finalStatus } }: Props) => {
  if (!escrow) return null;
  // The escrow of a split is RELEASED for the server, although a part of it went back to the buyer.
  const isSplit = finalStatus === 'SPLIT';
  const times = [
    ['Funded', escrow.fundedAt],
    [isSplit ? 'Split' : 'Released', escrow.releasedAt],
    ['Refunded', escrow.refundedAt],
  ] as const;
  return (
    <Panel title="Escrow" actions={isSplit ? <SplitStatus value={escrow.status} /> : <Status value={escrow.status} />}>
      <Facts
        rows={[
          [
            'Contract',
            escrow.providerContractId ? <Id key="c" value={escrow.providerContractId} link={false} /> : 'Pending',
          ],
          [
            'Kind',
            escrow.contractType === 'multi-release' ? 'Multi-release (one payment per milestone)' : 'Single release',
          ],
          ['Amount', <Amount key="a" value={escrow.amount} currency={currency} />],
          ['Created', <Time key="t" value={escrow.createdAt} exact />],
          ...times.filter(([, at]) => at).map(([name, at]) => [name, <Time key={name} value={at} exact />] as const),
        ]}
      />
    </Panel>
  );
};

export const DisputePanel = ({ order: { dispute, currency } }: Props) => {
  if (!dispute) return null;
  return (
    <Panel title="Dispute" actions={<Status value={dispute.status} />}>
      <div className="stack-tight">
        <Facts
          rows={[
            [
              'Opened',
              <span key="o">
                by the {dispute.openedBy.toLowerCase()}, <Time value={dispute.createdAt} exact />
              </span>,
            ],
            ['Reason', statusWords(dispute.reason)],
            ['Assigned to', dispute.assignedTo ?? 'Unassigned'],
            ...(dispute.resolutionDecision
              ? ([
                  ['Decision', statusWords(dispute.resolutionDecision)],
                  ['Seller’s share', <Amount key="s" value={dispute.sellerAmount} currency={currency} />],
                  ['Buyer’s share', <Amount key="b" value={dispute.buyerAmount} currency={currency} />],
                ] as const)
              : []),
          ]}
        />
        <Link to={`/disputes/${dispute.id}`}>View dispute</Link>
      </div>
    </Panel>
  );
};

export const DetailsPanel = ({ order }: Props) => (
  <Panel title="Details">
    <Facts
      rows={[
        ['Buyer', <Id key="b" value={order.buyerId} />],
        ['Seller', <Id key="s" value={order.sellerId} />],
        ['Reference', order.clientOrderRef],
        ['Description', order.description],
        ['Created', <Time key="c" value={order.createdAt} exact />],
        ['Updated', <Time key="u" value={order.updatedAt} exact />],
        ...Object.entries(order.metadata).map(
          ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
        ),
      ]}
    />
  </Panel>
);
