// Whether everything has come to rest: with no fault left and time to settle, nothing may still be under way and no life may
// be stuck on its way to the end that was planned for it.

import type { Environment } from '../environment.ts';
import type { Check } from './checks.ts';

const OPEN = `select 'operation' as what, id, state as status from operations where state = 'RUNNING'
  union all select 'ledger transaction', id, state from ledger_transactions where state = 'SIGNED'
  union all select 'treasury payment', id, state from treasury_payments where state in ('QUEUED', 'SENT')
  union all select 'wallet', id, status from wallets where status = 'PENDING' and activation_requested_at is not null
  union all select 'top-up', id, status from topups
    where status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
  union all select 'withdrawal', id, status from withdrawals
    where status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
  union all select 'order', id, status from orders
    where operation_id is not null or status in ('ESCROW_CREATING', 'RELEASE_REQUESTED', 'REFUND_REQUESTED', 'RELEASED', 'REFUNDED')`;

/** What is still under way. */
export const openWork = async ({ sql }: Environment): Promise<string[]> =>
  (await sql(OPEN)).map(({ what, id, status }) => `the ${what} ${id} is ${status}`);

export const checkRest: Check = async ({ environment, actor }) => {
  const stuck = actor.begun.filter(({ id, hasEnded }) => id !== null && !hasEnded);
  return [
    ...(await openWork(environment)),
    ...stuck.map(
      ({ scenario, id }) => `${scenario.tag} (${id}) did not come to its end: ${JSON.stringify(scenario, writeBig)}`,
    ),
  ];
};

const writeBig = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
