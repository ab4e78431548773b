// The columns of a list of top-ups.

import type { TopUp } from '@holdfast/sdk';
import { Amount } from '../../parts/amount.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Id } from '../../parts/id.tsx';
import { UserName } from '../../parts/names.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';

export const TOPUP_COLUMNS: readonly Column<TopUp>[] = [
  { name: 'Top-up', cell: ({ id }) => <Id value={id} /> },
  { name: 'User', cell: ({ userId }) => <UserName id={userId} /> },
  { name: 'Status', cell: ({ status }) => <Status value={status} /> },
  { name: 'Amount', align: 'end', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  { name: 'Description', cell: ({ description }) => description ?? <span className="soft">–</span> },
  { name: 'Created', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'Updated', align: 'end', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
];
