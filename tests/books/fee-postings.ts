// Books with random fees, reversals and costs in all currencies, written by a committer whose clock the test sets, and the fee report of them
// beside one that a test adds up by itself.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import {
  available,
  contractHolding,
  networkFees,
  orderEscrow,
  paymentFloat,
  platformFees,
  reserved,
  walletHolding,
} from '../../server/src/books/accounts.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { command } from '../../server/src/commit/command.ts';
import { createClosingReads } from '../../server/src/modules/closings/queries.ts';
import { createJournal } from '../../server/src/modules/exports/journal.ts';
import { createFeeDays } from '../../server/src/modules/reports/fee-days.ts';
import { presentFeeReport } from '../../server/src/modules/reports/fees.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { openPlace } from '../commit/fixture.ts';

const ADDRESS = 'GA2C5RFPE6GCKMY3US5PAB6UZLKIGSPIUKSLRB6Q723BM2OARMDUYEJ5';
const CONTRACT = 'CA2C5RFPE6GCKMY3US5PAB6UZLKIGSPIUKSLRB6Q723BM2OARMDUYEJ5';
const ORDER = 'ord_1';
const DAY_MICROS = 86_400_000_000;
const FIRST_DAY = Date.UTC(2026, 2, 1) * 1_000;
const PLENTY = fromUnits(10n ** 12n);

export const FEE_MOVES = [
  'platform_fee',
  'platform_fee_reversal',
  'network_fee',
  'protocol_fee',
  'payment_fee',
] as const;

export type FeeMove = {
  readonly move: (typeof FEE_MOVES)[number];
  readonly currency: Currency;
  readonly units: bigint;
};

/** Null: money for the moves that follow. */
type Input = { readonly userId: string; readonly moves: readonly FeeMove[] | null };

const postFees = command<Input, null>({
  name: 'fees-of-a-test',
  needs: ({ userId }) => ({
    rows: [],
    accounts: CURRENCIES.flatMap((currency) => [
      available(userId, currency),
      reserved(userId, currency),
      orderEscrow(ORDER, currency),
      platformFees(currency),
      networkFees(currency),
      paymentFloat(currency),
      walletHolding(ADDRESS, currency),
      contractHolding(CONTRACT, currency),
    ]),
  }),
  decide({ userId, moves }, work) {
    const parties = { userId, orderId: ORDER, address: ADDRESS, contractId: CONTRACT, reference: ORDER };
    const begin = ['deposit', 'deposit', 'topup', 'reserve', 'fund_escrow', 'contract_funding'] as const;
    for (const currency of moves === null ? CURRENCIES : [])
      for (const name of begin) work.move(name, { ...parties, currency, amount: PLENTY });
    for (const { move, currency, units } of moves ?? [])
      work.move(move, { ...parties, currency, amount: fromUnits(units) });
    work.audit({ action: 'BALANCE_CREDITED', resourceType: 'Balance', resourceId: userId, userId, after: {} });
    return null;
  },
});

type Posting = { account_id: string; move: string; amount: bigint; posted_at: string };

const NONE = { earned: 0n, reversed: 0n, network: 0n, provider: 0n };

const figureOf = ({ account_id, move, amount }: Posting): string => {
  if (account_id.startsWith('network:')) return move === 'payment_fee' ? 'provider' : 'network';
  return amount > 0n ? 'earned' : 'reversed';
};

export const dayAt = (day: number): string =>
  new Date((FIRST_DAY + day * DAY_MICROS) / 1_000).toISOString().replace('Z', '000Z');

export type Days = { readonly first: number; readonly before: number };

/** `at` sets the clock to a day, with its fraction; it may go back. */
export const openFees = async (t: Hooks) => {
  let micros = FIRST_DAY;
  const fixture = await openPlace(t, { clock: () => ++micros });
  const { pool, marketplaceId } = fixture;
  const userId = await fixture.user();
  await fixture.submit(postFees, { userId, moves: null });
  const journal = createJournal({ pool, dir: '/nowhere', inTurn: (_, read) => read() });
  const days = createFeeDays({ pool, closings: createClosingReads(pool), journal });

  return {
    pool,
    marketplaceId,
    at(day: number): void {
      micros = FIRST_DAY + Math.floor(day * DAY_MICROS);
    },
    async post(moves: readonly FeeMove[]): Promise<void> {
      await fixture.submit(postFees, { userId, moves });
    },
    /** What `GET /reports/fees` shows. */
    async report({ first, before }: Days) {
      const range = { from: dayAt(first), to: dayAt(before) };
      return presentFeeReport({ days: await days.read({ marketplaceId, ...range }), range, interval: 'day' });
    },
    /** The same, added up posting by posting. */
    async expected({ first, before }: Days) {
      const range = { from: dayAt(first), to: dayAt(before) };
      const { rows } = await pool.query<Posting>(
        `select account_id, move, amount, posted_at from postings where marketplace_id = $1 and account_id ~ '^(platform|network):fees:'`,
        [marketplaceId],
      );
      const each = rows
        .filter(({ posted_at }) => posted_at >= range.from && posted_at < range.to)
        .map((row) => ({
          date: row.posted_at.slice(0, 10),
          currency: row.account_id.split(':')[2] as Currency,
          ...NONE,
          [figureOf(row)]: row.amount > 0n ? row.amount : -row.amount,
        }));
      return presentFeeReport({ days: each, range, interval: 'day' });
    },
    /** The numbers of the last postings that the sums contain. */
    async marks(): Promise<bigint[]> {
      const text = 'select seq from fee_marks where marketplace_id = $1 order by account_id';
      return (await pool.query<{ seq: bigint }>(text, [marketplaceId])).rows.map(({ seq }) => seq);
    },
  };
};

export type Fees = Awaited<ReturnType<typeof openFees>>;
