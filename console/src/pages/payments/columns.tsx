// The columns of lists of top-ups and withdrawals.

import type { TopUp, Withdrawal } from '@holdfast/sdk';
import { Id } from '../../parts/id.tsx';
import type { Column } from '../../parts/lists/data-table.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { UserName } from '../../parts/names.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { destinationWords } from '../withdrawals/destination.ts';

export const TOPUP_COLUMNS: readonly Column<TopUp>[] = [
  { name: 'Top-up', phone: 'under', cell: ({ id }) => <Id value={id} /> },
  { name: 'User', phone: 'title', cell: ({ userId }) => <UserName id={userId} /> },
  { name: 'Status', phone: 'under', cell: ({ status }) => <Status value={status} /> },
  {
    name: 'Amount',
    phone: 'value',
    align: 'end',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  { name: 'Description', cell: ({ description }) => description ?? <span className="soft">–</span> },
  { name: 'Created', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'Updated', align: 'end', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
];

export const WITHDRAWAL_COLUMNS: readonly Column<Withdrawal>[] = [
  { name: 'Withdrawal', phone: 'under', cell: ({ id }) => <Id value={id} /> },
  { name: 'User', phone: 'title', cell: ({ userId }) => <UserName id={userId} /> },
  { name: 'Status', phone: 'under', cell: ({ status }) => <Status value={status} /> },
  {
    name: 'Amount',
    phone: 'value',
    align: 'end',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  { name: 'Destination', cell: ({ destination }) => destinationWords(destination) },
  { name: 'Created', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'Updated', align: 'end', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
];
