// The report of an import: counts, what stays in the old system, what was refused, the sums of both systems, and the assets that are
// missing. As tables for people and as JSON for programs.

import { EXIT, type ExitCode } from '../failures.ts';
import { amountOf } from '../money.ts';
import type { Out } from '../view/out.ts';
import { harmless } from '../view/paint.ts';
import type { Outcome, Refused } from './apply.ts';
import type { Backing, Compared, Sum } from './compare.ts';
import type { Plan } from './plan.ts';
import { balanceKey, IMPORT_LIMITS } from './records.ts';
import type { Survey } from './target.ts';

type Count = {
  readonly what: string;
  readonly read: number;
  /** Before the import was applied: to be created. */
  readonly created: number;
  readonly there: number;
  readonly skipped: number;
  readonly refused: number;
};

type ImportReport = {
  readonly import: string;
  readonly plan: string;
  readonly source: string;
  readonly applied: boolean;
  readonly counts: readonly Count[];
  readonly problems: readonly string[];
  /** Orders that have to be finished in the old system. */
  readonly left: readonly {
    readonly orderId: string;
    readonly status: string;
    readonly amount: string;
    readonly currency: string;
    readonly reason: string;
  }[];
  readonly refused: readonly Refused[];
  readonly waiting: readonly Refused[];
  readonly sums: readonly Sum[];
  readonly differences: readonly string[];
  readonly backing: readonly Backing[];
  readonly stateFile: string | null;
};

type Made = {
  readonly plan: Plan;
  /** Null: the source has problems, and Holdfast was not read. */
  readonly survey: Survey | null;
  /** Null: nothing was written. */
  readonly outcome: Outcome | null;
  readonly problems: readonly string[];
  readonly compared: Compared;
  readonly backing: readonly Backing[];
  readonly stateFile: string | null;
};

const refusedOf = ({ outcome }: Made, prefix: string): number =>
  [...(outcome?.refused ?? []), ...(outcome?.waiting ?? [])].filter(({ what }) => what.startsWith(prefix)).length;

/** What was there before this run. */
const thereOf = ({ plan, survey, outcome }: Made) => ({
  // New users are added to the survey when they are created.
  users:
    plan.users.filter(({ externalUserId }) => survey?.users.has(externalUserId)).length - (outcome?.written.users ?? 0),
  credits: plan.money.filter(
    ({ externalUserId, currency }) => survey?.money.get(balanceKey(externalUserId, currency))?.isCredited,
  ).length,
  orders: plan.orders.filter(({ sourceId }) => survey?.orders.has(sourceId)).length,
});

const countsOf = (made: Made): Count[] => {
  const { plan, outcome } = made;
  const there = thereOf(made);
  const credits = plan.money.filter(({ credit }) => credit > 0n).length;
  const count = (what: string, { all, before, written, prefix, skipped = 0 }: Counted): Count => {
    const refused = refusedOf(made, prefix);
    return { what, read: all + skipped, created: written ?? all - before, there: before, skipped, refused };
  };
  return [
    count('users', { all: plan.users.length, before: there.users, written: outcome?.written.users, prefix: 'user ' }),
    count('opening balances', {
      all: credits,
      before: there.credits,
      written: outcome?.written.credits,
      prefix: 'balance of ',
    }),
    count('orders', {
      all: plan.orders.length,
      before: there.orders,
      written: outcome?.written.orders,
      prefix: 'order ',
      skipped: plan.left.length + plan.closedOrders,
    }),
  ];
};

type Counted = {
  readonly all: number;
  readonly before: number;
  readonly written: number | undefined;
  readonly prefix: string;
  readonly skipped?: number;
};

export const reportOf = (made: Made): ImportReport => ({
  import: made.plan.id,
  plan: made.plan.hash,
  source: made.plan.source,
  applied: made.outcome !== null,
  counts: countsOf(made),
  problems: made.problems,
  left: made.plan.left.map(({ sourceId, status, amount, currency, reason }) => ({
    orderId: sourceId,
    status,
    amount: amountOf(amount),
    currency,
    reason,
  })),
  refused: made.outcome?.refused ?? [],
  waiting: made.outcome?.waiting ?? [],
  sums: made.compared.sums,
  differences: made.compared.differences,
  backing: made.backing,
  stateFile: made.stateFile,
});

export const exitCodeOf = ({ problems, refused, waiting, differences }: ImportReport): ExitCode => {
  if (problems.length > 0 || refused.length > 0) return EXIT.refused;
  if (waiting.length > 0) return EXIT.waiting;
  return differences.length > 0 ? EXIT.refused : EXIT.fine;
};

const showList = (out: Out, title: string, lines: readonly string[]): void => {
  if (lines.length === 0) return;
  const { problemsShown } = IMPORT_LIMITS;
  out.line('');
  out.line(out.paint.red(`${title} (${lines.length}):`));
  out.lines(lines.slice(0, problemsShown).map((line) => `  - ${harmless(line)}`));
  if (lines.length > problemsShown) out.line(`  … and ${lines.length - problemsShown} more; --json shows all.`);
};

const showSums = (out: Out, { sums, backing }: ImportReport): void => {
  if (sums.length > 0) {
    out.line('');
    out.table(sums, [
      { title: 'currency', of: ({ currency }) => currency },
      { title: 'source available', align: 'right', of: ({ source }) => source.available },
      { title: 'source reserved', align: 'right', of: ({ source }) => source.reserved },
      { title: 'stays there', align: 'right', of: ({ left }) => left },
      { title: 'Holdfast available', align: 'right', of: ({ holdfast }) => holdfast?.available ?? '-' },
      { title: 'Holdfast reserved', align: 'right', of: ({ holdfast }) => holdfast?.reserved ?? '-' },
      { title: 'difference', align: 'right', of: ({ difference }) => difference ?? '-' },
    ]);
  }
  if (backing.length === 0) return;
  out.line('');
  out.table(backing, [
    { title: 'currency', of: ({ currency }) => currency },
    { title: 'claims, with fees', align: 'right', of: ({ liabilities }) => liabilities },
    { title: 'after the import', align: 'right', of: ({ liabilitiesAfter }) => liabilitiesAfter },
    { title: 'holdings, with costs', align: 'right', of: ({ assets }) => assets },
    { title: 'missing assets', align: 'right', of: ({ missing }) => missing },
  ]);
};

const showLeft = (out: Out, { left }: ImportReport): void => {
  if (left.length === 0) return;
  out.line('');
  out.line('Finish these orders in the old system:');
  out.table(left, [
    { title: 'order', of: ({ orderId }) => orderId },
    { title: 'status', of: ({ status }) => status },
    { title: 'amount', align: 'right', of: ({ amount, currency }) => `${amount} ${currency}` },
    { title: 'reason', of: ({ reason }) => reason, flexible: true },
  ]);
};

const lastLine = (out: Out, report: ImportReport): string => {
  const { applied, problems, plan, stateFile } = report;
  if (problems.length > 0) return out.paint.red('Nothing was written. Correct the problems and run the command again.');
  if (!applied) return `Nothing was written. To import exactly this, run the same command with --apply ${plan}`;
  const code = exitCodeOf(report);
  if (code === EXIT.fine) return out.paint.green(`Complete: no difference. ${stateFile} has what was written.`);
  if (code === EXIT.waiting)
    return 'Some rows wait for approval. Run the same command again when they are approved: nothing is written twice.';
  return out.paint.red('Not complete. Run the same command again when the cause is removed: nothing is written twice.');
};

export const showReport = (out: Out, report: ImportReport): void => {
  if (out.isJson) {
    out.json(report);
    return;
  }
  out.table(report.counts, [
    { title: '', of: ({ what }) => what },
    { title: 'read', align: 'right', of: ({ read }) => String(read) },
    { title: report.applied ? 'created' : 'to create', align: 'right', of: ({ created }) => String(created) },
    { title: 'already there', align: 'right', of: ({ there }) => String(there) },
    { title: 'skipped', align: 'right', of: ({ skipped }) => String(skipped) },
    { title: 'refused', align: 'right', of: ({ refused }) => String(refused) },
  ]);
  showLeft(out, report);
  showSums(out, report);
  showList(out, 'Problems', report.problems);
  const rows = (refused: readonly Refused[]) => refused.map(({ what, code, reason }) => `${what}: ${code}: ${reason}`);
  showList(out, 'Refused', rows(report.refused));
  showList(out, 'Waiting for approval', rows(report.waiting));
  showList(out, 'Differences', report.differences);
  out.line('');
  out.line(lastLine(out, report));
};
