// Whether the breaks are the right ones: the books are always right here, so the only breaks are the alerts about top-ups that were
// paid late and about payouts over another amount, each with the figures of the payment provider, and each of these has its alert.

import { SURPLUS_KIND } from '@holdfast/contract/api/reconciliation.ts';
import { exactUnits } from '../../decimals.ts';
import type { Environment } from '../environment.ts';
import type { Any } from '../simulators.ts';
import type { Check } from './checks.ts';

// What an outsider pays into a contract is listed apart and is no break.
const BREAKS = `select marketplace_id, kind, subject, expected, actual, first_seen_at, resolved_at from breaks
  where kind <> '${SURPLUS_KIND}'`;

const TOPUPS = `select id from topups where status in ('TOPUP_FAILED', 'TOPUP_CANCELED')`;

const WITHDRAWALS = `select id, amount::text as units from withdrawals where destination_type <> 'crypto'`;

type Alert = { readonly kind: string; readonly subject: string; readonly expected: bigint; readonly actual: bigint };

export const keyOf = ({ kind, subject, expected, actual }: Alert): string => `${kind} ${subject} ${expected} ${actual}`;

const asAlert = ({ kind, subject, expected, actual }: Any): Alert => ({
  kind,
  subject,
  expected: exactUnits(expected),
  actual: exactUnits(actual),
});

/** The alerts that the payments at the provider are a reason for. */
export const dueAlerts = async ({ sql, simulators }: Environment): Promise<Alert[]> => {
  // First the books: a payment that is paid at the provider in between is a reason for an alert already.
  const topups = new Set((await sql(TOPUPS)).map(({ id }) => id));
  const withdrawals = new Map((await sql(WITHDRAWALS)).map(({ id, units }) => [id, BigInt(units)]));
  const { payins, payouts }: Any = await simulators.sendControl('GET /state');
  const late = payins.filter(({ code, status }: Any) => status === 'CONFIRMED' && topups.has(code));
  const other = payouts.filter(
    ({ code, status, amount }: Any) =>
      status === 'COMPLETED' && withdrawals.has(code) && withdrawals.get(code) !== exactUnits(String(amount)),
  );
  return [
    ...late.map((one: Any) => ({
      kind: 'late-topup',
      subject: one.code,
      expected: 0n,
      actual: exactUnits(String(one.amount)),
    })),
    ...other.map((one: Any) => ({
      kind: 'payout-amount',
      subject: one.code,
      expected: withdrawals.get(one.code)!,
      actual: exactUnits(String(one.amount)),
    })),
  ];
};

/** Every break is one of the alerts, also when it is resolved by now: until then the proof said no. */
export const checkBreaks: Check = async ({ environment }) => {
  const breaks = await environment.sql(BREAKS);
  if (breaks.length === 0) return [];
  const due = new Set((await dueAlerts(environment)).map(keyOf));
  return breaks
    .filter((one) => one.resolved_at !== null || !due.has(keyOf(asAlert(one))))
    .map((one) => `a break was opened: ${JSON.stringify(one)}`);
};

/** The alerts that are due and not shown. */
export const missingAlerts = async (environment: Environment): Promise<string[]> => {
  const shown = new Set((await environment.sql(BREAKS)).map(({ kind, subject }) => `${kind} ${subject}`));
  const missing = (await dueAlerts(environment)).filter(({ kind, subject }) => !shown.has(`${kind} ${subject}`));
  return missing.map(({ kind, subject, actual }) => `there is no alert ${kind} about ${subject} over ${actual}`);
};

export const checkAlerts: Check = async ({ environment }) => missingAlerts(environment);
