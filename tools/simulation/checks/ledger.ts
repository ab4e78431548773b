// Whether the outside world has what the books say: every wallet and every contract on the ledger to 10^-7, the stranger
// what was withdrawn to him, and the payment provider what was paid in and out.

import { createFloatReads } from '../../../server/src/modules/float/queries.ts';
import { compareBooksWithLedger, describeDifference, heldOnLedger } from '../../books-and-ledger.ts';
import { exactUnits } from '../../decimals.ts';
import type { Environment } from '../environment.ts';
import { retryUntil } from '../retry.ts';
import type { Any } from '../simulators.ts';
import type { Check } from './checks.ts';
import { openWork } from './rest.ts';

const WITHDRAWN = `select case when currency = 'XLM' then 'XLM' else 'USDC' end as asset, sum(paid)::text as units
  from withdrawals where address = $1 group by 1`;

/** Payments to addresses outside that are in no withdrawal: they say which payment a difference comes from. */
const BESIDE = `select p.move, p.reference, -p.amount as units, w.status, w.amount, w.paid from postings p
  left join withdrawals w on w.marketplace_id = p.marketplace_id and w.id = p.reference
  where p.move in ('withdrawal_excess', 'forgotten_payment', 'unexplained') and p.amount < 0`;

/** What friends of the ledger are given, less the fee of a trustline. */
const STRANGER_BEGINS = { USDC: 0n, XLM: 100_000_000_000n - 100n };

const ASSETS = ['USDC', 'XLM'] as const;

const strangerDiffers = async ({ sql, simulators }: Environment, state: Any): Promise<string[]> => {
  const { stranger } = simulators.facts;
  const paid = new Map((await sql(WITHDRAWN, [stranger])).map(({ asset, units }) => [asset, BigInt(units)]));
  const beside = (await sql(BESIDE, [])).map((row) =>
    JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  );
  return ASSETS.flatMap((asset) => {
    const should = STRANGER_BEGINS[asset] + (paid.get(asset) ?? 0n);
    const is = heldOnLedger(state, { address: stranger, asset });
    return should === is
      ? []
      : [
          `the stranger has ${is} of ${asset} and should have ${should}; paid beside withdrawals: ${beside.join(' ') || 'nothing'}`,
        ];
  });
};

const floatDiffers = async ({ pool }: Environment, { balance }: Any): Promise<string[]> => {
  const reads = createFloatReads(pool);
  if (!(await reads.isOpened())) return [];
  const books = await reads.total();
  const there = exactUnits(balance.available) + exactUnits(balance.pending);
  return books === there ? [] : [`the provider has ${there}, the books have ${books} there`];
};

const LOOKS_MAX = 3;

/** A job of every minute, such as the sweep of fees, may have begun a transaction since everything came to rest. */
export const checkLedger: Check = async (state) => {
  for (let looks = 1; ; looks++) {
    const found = await compareOutside(state);
    if (found.length === 0 || looks === LOOKS_MAX) return found;
    await retryUntil(async () => (await openWork(state.environment)).length === 0, 'nothing is under way').catch(
      () => {},
    );
  }
};

const compareOutside: Check = async ({ environment }) => {
  const state = await environment.simulators.sendControl('GET /state');
  return [
    ...(await compareBooksWithLedger({ sql: environment.sql, state })).map(describeDifference),
    ...(await strangerDiffers(environment, state)),
    ...(await floatDiffers(environment, state)),
  ];
};
