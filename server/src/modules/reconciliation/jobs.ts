// Compares every active wallet, every escrow contract and the payment provider's balance with the books, and stores the breaks. It
// never moves money. A difference counts only when it is seen twice, and never while something is in progress: false breaks would
// teach operators to ignore breaks.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { fewAtOnce } from '../../base/concurrency.ts';
import { negated, plus, ZERO } from '../../books/money.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { FollowedWallet } from '../../ledger/deposits/queries.ts';
import { commonDifference, type FloatComparison } from '../float/float-balance.ts';
import type { OverdrawnFloat } from '../float/queries.ts';
import { type BreakId, type Breaks, type Compared, differs, isSeenIn, keyOf, type SeenBreak } from './breaks.ts';
import type { ContractPlace } from './queries.ts';
import { createWalletChecks, type WalletCheckOptions } from './wallet-checks.ts';

type Options = Omit<WalletCheckOptions, 'steadyMs'> & {
  steadyMs?(): number;
  wallets(after: FollowedWallet | null, limit: number): Promise<FollowedWallet[]>;
  /** Escrow contracts. A comparison leaves out contracts that cannot be compared now. */
  readonly contracts?: {
    list(after: ContractPlace | null, limit: number): Promise<ContractPlace[]>;
    compare(places: readonly ContractPlace[]): Promise<readonly (ContractPlace & Compared)[]>;
  };
  readonly breaks: Pick<Breaks, 'see' | 'resolve' | 'listOpen'>;
  /** Compares the payment provider's balance with the books; null when it cannot be compared now. */
  compareFloat?(): Promise<FloatComparison | null>;
  /** Compares the own accounts of marketplaces at the payment provider, twice each. */
  ownBreaks?(): Promise<readonly SeenBreak[]>;
  /** Marketplaces whose float is below what their credit line allows. */
  listOverdrawn?(): Promise<readonly OverdrawnFloat[]>;
  /** Receives every break, each time it is seen. */
  onBreak(seen: SeenBreak): void;
};

/**
 * The provider keeps one balance for all marketplaces, and what belongs to no tenant is the operator's. So a difference is shown in the
 * operator's marketplace, beside the operator's own float: no marketplace sees the figures of another.
 */
const OPERATOR = DEFAULT_MARKETPLACE;
const PROVIDER = 'payment-provider';
const CREDIT_LINE = 'credit-line';
const PAGE = 200;
const CHECKS_AT_ONCE = 4;

/** Stores a confirmed difference as a break, and resolves an open break whose difference is gone. */
type Conclude = (seen: SeenBreak) => Promise<void>;

const createConclude = ({ breaks, onBreak }: Options, known: readonly BreakId[]): Conclude => {
  const open = new Set(known.map(keyOf));
  return async (seen) => {
    if (differs(seen)) {
      await breaks.see(seen);
      onBreak(seen);
    } else if (open.has(keyOf(seen))) {
      await breaks.resolve(seen);
    }
  };
};

type WalletChecks = ReturnType<typeof createWalletChecks>;
type Suspect = { readonly wallet: FollowedWallet; readonly first: SeenBreak[] };

/** Concludes on wallets without a difference, and returns the others for a second check. */
const checkWallets = async (
  { wallets }: Options,
  { checks, conclude }: { checks: WalletChecks; conclude: Conclude },
): Promise<Suspect[]> => {
  const suspects: Suspect[] = [];
  const checkOne = async (wallet: FollowedWallet): Promise<void> => {
    const first = await checks.check(wallet);
    if (first === null) return;
    if (first.some(differs)) {
      suspects.push({ wallet, first });
      return;
    }
    checks.clear(wallet);
    for (const one of first) await conclude(one);
  };
  for (let last: FollowedWallet | null = null; ; ) {
    const page: FollowedWallet[] = await wallets(last, PAGE);
    const active = page.filter(({ status }) => status === 'ACTIVE');
    await fewAtOnce(active, { atOnce: CHECKS_AT_ONCE, work: checkOne });
    last = page.at(-1) ?? null;
    if (page.length < PAGE) return suspects;
  }
};

const compareContracts = async ({ contracts }: Options, places: readonly ContractPlace[]): Promise<SeenBreak[]> =>
  ((await contracts?.compare(places)) ?? []).map(({ contractId: subject, marketplaceId, expected, actual }) => {
    return { marketplaceId, kind: 'contract', subject, expected, actual };
  });

const compareAllContracts = async (options: Options): Promise<SeenBreak[]> => {
  const seen: SeenBreak[] = [];
  for (let last: ContractPlace | null = null; options.contracts; ) {
    const page: ContractPlace[] = await options.contracts.list(last, PAGE);
    seen.push(...(await compareContracts(options, page)));
    last = page.at(-1) ?? null;
    if (page.length < PAGE) break;
  }
  return seen;
};

const confirmContracts = async (options: Options, suspects: readonly SeenBreak[]): Promise<SeenBreak[]> => {
  const places = suspects.map(({ marketplaceId, subject: contractId }) => ({ marketplaceId, contractId }));
  const again = await compareContracts(options, places);
  return again.filter((seen) => isSeenIn(suspects, seen));
};

const floatBreak = (before: FloatComparison | null, after: FloatComparison | null): SeenBreak | null => {
  const difference = before && after && commonDifference(before, after);
  if (!after || difference === null) return null;
  const { floats } = after;
  const operators = floats.find(({ marketplaceId }) => marketplaceId === OPERATOR);
  const { marketplaceId, amount: expected } =
    floats.length === 1 ? floats[0]! : { marketplaceId: OPERATOR, amount: operators?.amount ?? ZERO };
  return { marketplaceId, kind: 'payment-float', subject: PROVIDER, expected, actual: plus(expected, difference) };
};

type Concluding = { readonly known: readonly BreakId[]; readonly conclude: Conclude };

/** The provider paid more than the marketplace had. The books show it already, so it needs no second look. */
const concludeOverdrawn = async ({ listOverdrawn, breaks }: Options, { known, conclude }: Concluding) => {
  if (!listOverdrawn) return;
  const seen: SeenBreak[] = (await listOverdrawn()).map(({ marketplaceId, held, creditLine }) => {
    const expected = negated(creditLine);
    return { marketplaceId, kind: 'payment-float', subject: CREDIT_LINE, expected, actual: held };
  });
  for (const one of seen) await conclude(one);
  const still = new Set(seen.map(keyOf));
  const gone = known.filter((one) => one.subject === CREDIT_LINE && !still.has(keyOf(one)));
  for (const one of gone) await breaks.resolve(one);
};

export const reconcile = (options: Options): Job => {
  const { breaks, steadyMs = () => performance.now() } = options;
  const checks = createWalletChecks({ ...options, steadyMs });

  const concludeFloat = async (float: SeenBreak, of: Concluding) => {
    await of.conclude(float);
    const isElsewhere = (one: BreakId) =>
      one.kind === float.kind && one.subject === PROVIDER && keyOf(one) !== keyOf(float);
    for (const former of of.known.filter(isElsewhere)) await breaks.resolve(former);
  };

  return {
    ...scheduled('reconcile'),
    atStart: true,
    async run() {
      const known = await breaks.listOpen();
      const conclude = createConclude(options, known);
      const floatBefore = (await options.compareFloat?.()) ?? null;
      const suspects = await checkWallets(options, { checks, conclude });
      const contracts = await compareAllContracts(options);
      for (const one of contracts.filter((seen) => !differs(seen))) await conclude(one);
      // After all first checks, so that some time lies between the two checks of a suspect.
      await fewAtOnce(suspects, {
        atOnce: CHECKS_AT_ONCE,
        async work({ wallet, first }) {
          for (const one of await checks.confirm(wallet, first)) await conclude(one);
        },
      });
      for (const one of await confirmContracts(options, contracts.filter(differs))) await conclude(one);
      const float = floatBreak(floatBefore, (floatBefore && (await options.compareFloat?.())) ?? null);
      if (float) await concludeFloat(float, { known, conclude });
      await concludeOverdrawn(options, { known, conclude });
      for (const one of (await options.ownBreaks?.()) ?? []) await conclude(one);
    },
  };
};
