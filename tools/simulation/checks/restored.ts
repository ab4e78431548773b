// Whether a restored database has paid nothing twice: what left the wallets and the provider is what had left them before, and what the
// restored books know to have paid since. Books and ledger are equal, and breaks are open only about what the backup has forgotten.

import { SURPLUS_KIND } from '@holdfast/contract/api/reconciliation.ts';
import { createFloatReads } from '../../../server/src/modules/float/queries.ts';
import { compareBooksWithLedger, describeDifference, heldOnLedger } from '../../books-and-ledger.ts';
import { exactUnits } from '../../decimals.ts';
import type { Environment } from '../environment.ts';
import type { Any } from '../simulators.ts';
import { checkAudit, checkBooks } from './books.ts';
import { dueAlerts, keyOf } from './breaks.ts';
import type { Check, Finding, SimulationState } from './checks.ts';
import { checkProvider } from './effects.ts';
import { checkPositions } from './events.ts';
import { checkHistory } from './history.ts';

const ASSETS = ['USDC', 'XLM'] as const;

/** What the outside world had done when the database was lost, and what the lost books said about it. */
export type OutsideBefore = {
  readonly state: Any;
  /** Withdrawals that were paid, and orders whose contract has paid. */
  readonly paid: ReadonlySet<string>;
  readonly ended: ReadonlyMap<string, string>;
};

const PAID = `select id from withdrawals where status = 'WITHDRAWAL_COMPLETED'`;
const ENDED = `select id, final_status from orders where final_status in ('RELEASED', 'REFUNDED', 'SPLIT')`;

export const outsideNow = async ({ sql, simulators }: Environment): Promise<OutsideBefore> => ({
  state: await simulators.sendControl('GET /state'),
  paid: new Set((await sql(PAID)).map(({ id }) => id)),
  ended: new Map((await sql(ENDED)).map(({ id, final_status: end }) => [id, end])),
});

export const differencesOf = async ({ sql, simulators }: Environment): Promise<string[]> => {
  const state = await simulators.sendControl('GET /state');
  return (await compareBooksWithLedger({ sql, state })).map(describeDifference);
};

const unknownTo = async ({ sql }: Environment, of: { table: string; records: readonly Any[] }): Promise<Any[]> => {
  const known = new Set((await sql(`select id from ${of.table}`)).map(({ id }) => id));
  return of.records.filter(({ code }) => !known.has(code));
};

const isPaid = ({ status }: Any): boolean => ['CONFIRMED', 'COMPLETED'].includes(status);

/** Payouts that the provider has made and the restored books do not know. */
export const forgottenPayouts = (environment: Environment, { state }: OutsideBefore): Promise<Any[]> =>
  unknownTo(environment, { table: 'withdrawals', records: state.payouts.filter(isPaid) });

type Compared = { readonly before: OutsideBefore; readonly now: Any };

const WITHDRAWN = `select id, case when currency = 'XLM' then 'XLM' else 'USDC' end as asset, paid::text as units
  from withdrawals where address = $1 and status = 'WITHDRAWAL_COMPLETED'`;

/** The stranger has what was paid before, and what was not paid before and is now. */
const strangerDiffers = async ({ sql, simulators }: Environment, { before, now }: Compared): Promise<string[]> => {
  const { stranger: address } = simulators.facts;
  const rows = (await sql(WITHDRAWN, [address])).filter(({ id }) => !before.paid.has(id));
  return ASSETS.flatMap((asset) => {
    const since = rows.filter((row) => row.asset === asset).reduce((sum, { units }) => sum + BigInt(units), 0n);
    const should = heldOnLedger(before.state, { address, asset }) + since;
    const is = heldOnLedger(now, { address, asset });
    return is === should ? [] : [`the stranger has ${is} of ${asset} and should have ${should}`];
  });
};

/** A contract gets the amount of its order once, however often the order is funded. */
const fundedTwice = async ({ sql }: Environment, { before, now }: Compared): Promise<string[]> => {
  const amounts = new Map(
    (
      await sql(`select provider_contract_id as id, max(amount)::text as units from escrows
      where provider_contract_id is not null group by 1`)
    ).map(({ id, units }) => [id, BigInt(units)]),
  );
  const outside = new Map<string, bigint>();
  for (const { contractId, amount } of now.outsidePayments) {
    outside.set(contractId, (outside.get(contractId) ?? 0n) + exactUnits(amount));
  }
  const earlier = new Map<string, bigint>(
    before.state.contracts.map(({ contractId, received }: Any) => [contractId, exactUnits(received)]),
  );
  return now.contracts.flatMap(({ contractId, received }: Any) => {
    const was = earlier.get(contractId) ?? 0n;
    const most = (amounts.get(contractId) ?? 0n) + (outside.get(contractId) ?? 0n);
    const is = exactUnits(received);
    return is === was || is <= most ? [] : [`the contract ${contractId} got ${is}, at most ${most} are its own`];
  });
};

/** What a contract has paid decides how its order ends. */
const endedOtherwise = async ({ sql }: Environment, { before }: Compared): Promise<string[]> =>
  (await sql('select id, status, final_status from orders')).flatMap(({ id, status, final_status: end }) => {
    const was = before.ended.get(id);
    return was === undefined || was === end ? [] : [`the order ${id} was ${was} and is ${end ?? status} now`];
  });

const paidTwice = ({ payouts }: Any): string[] => {
  const codes = payouts.filter(isPaid).map(({ code }: Any) => code);
  return codes.filter((code: string, at: number) => codes.indexOf(code) !== at).map((code: string) => `${code} twice`);
};

/** What the provider has beyond the books: what was paid in for forgotten top-ups, less what was paid out for forgotten withdrawals. */
const forgottenAtProvider = async (environment: Environment, now: Any): Promise<bigint> => {
  const sum = (records: readonly Any[]): bigint =>
    records.filter(isPaid).reduce((all: bigint, { amount }) => all + exactUnits(String(amount)), 0n);
  const topups = await unknownTo(environment, { table: 'topups', records: now.payins });
  const withdrawals = await unknownTo(environment, { table: 'withdrawals', records: now.payouts });
  return sum(topups) - sum(withdrawals);
};

const floatDiffers = async (environment: Environment, { now }: Compared): Promise<string[]> => {
  const books = await createFloatReads(environment.pool).total();
  const there = exactUnits(now.balance.available) + exactUnits(now.balance.pending);
  const forgotten = await forgottenAtProvider(environment, now);
  return there - books === forgotten
    ? []
    : [`the provider has ${there}, the books ${books}, and ${forgotten} were forgotten`];
};

const BREAKS = `select kind, subject, expected, actual, difference, reason, resolved_at from breaks where kind <> '${SURPLUS_KIND}'`;

/** While the ledger was ahead of the books these were true, and no longer afterwards. */
const PASSING: readonly string[] = ['wallet-usdc', 'wallet-xlm', 'contract', 'deposit'];

/** An open break names what was forgotten, or is one of the alerts that would be there without the restore. */
export const wrongBreaks = async (environment: Environment, before: OutsideBefore): Promise<string[]> => {
  const now = await environment.simulators.sendControl('GET /state');
  const due = new Set((await dueAlerts(environment)).map(keyOf));
  const lost = new Set((await forgottenPayouts(environment, before)).map(({ id }) => String(id)));
  const forgotten = await forgottenAtProvider(environment, now);
  const isRight = (one: Any): boolean => {
    const isOpen = one.resolved_at === null;
    if (one.kind === 'unexplained-payment' || PASSING.includes(one.kind)) return !isOpen;
    if (one.kind === 'lost-payout') return !isOpen && lost.has(one.subject);
    if (one.kind === 'payment-float') return !isOpen || exactUnits(one.difference) === forgotten;
    const { kind, subject } = one;
    return due.has(keyOf({ kind, subject, expected: exactUnits(one.expected), actual: exactUnits(one.actual) }));
  };
  return (await environment.sql(BREAKS)).filter((one) => !isRight(one)).map((one) => `a break: ${JSON.stringify(one)}`);
};

/** Top-ups and withdrawals whose end differs from that of their payment at the provider. */
export const wrongPayments = async ({ sql, simulators }: Environment): Promise<string[]> => {
  const { payins, payouts } = await simulators.sendControl('GET /state');
  return [
    ...checkProvider(await sql('select id, status, late_amount::text as late from topups'), payins),
    ...checkProvider(await sql(`select id, status from withdrawals where destination_type <> 'crypto'`), payouts),
  ];
};

const SAME: Readonly<Record<string, Check>> = {
  books: checkBooks,
  positions: checkPositions,
  history: checkHistory,
  audit: checkAudit,
};

export const checkAfterRestore = async (state: SimulationState, before: OutsideBefore): Promise<Finding[]> => {
  const { environment } = state;
  const now = await environment.simulators.sendControl('GET /state');
  const compared = { before, now };
  const found = [
    ...(await differencesOf(environment)),
    ...(await strangerDiffers(environment, compared)),
    ...(await fundedTwice(environment, compared)),
    ...(await endedOtherwise(environment, compared)),
    ...paidTwice(now),
    ...(await wrongPayments(environment)),
    ...(await floatDiffers(environment, compared)),
    ...(await wrongBreaks(environment, before)),
    ...environment.journal.violations,
  ];
  const others: Finding[] = [];
  for (const [name, check] of Object.entries(SAME)) {
    others.push({ check: 'restore', found: (await check(state)).map((one) => `${name}: ${one}`) });
  }
  return [{ check: 'restore', found } as const, ...others].filter((one) => one.found.length > 0);
};
