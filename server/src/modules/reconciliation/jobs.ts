// Compares active wallets, every escrow contract and the payment provider's balance with the books, and stores the breaks. It
// never moves money. A difference counts only when it is seen twice, and never while something is in progress: false breaks would
// teach operators to ignore breaks.

import { SURPLUS_KIND } from '@holdfast/contract/api/reconciliation.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { fewAtOnce } from '../../base/concurrency.ts';
import { formatExact, negated, plus, ZERO } from '../../books/money.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { FollowedWallet } from '../../ledger/deposits/queries.ts';
import { commonDifference, type FloatComparison } from '../float/float-balance.ts';
import type { OverdrawnFloat } from '../float/queries.ts';
import { type BreakId, type Breaks, differs, isSeenIn, keyOf, type SeenBreak } from './breaks.ts';
import type { ContractComparison } from './contract-balances.ts';
import type { ContractPlace, ShortFunding } from './queries.ts';
import { createWalletChecks, type WalletCheckOptions } from './wallet-checks.ts';
import type { WalletRounds } from './wallet-rounds.ts';

type Options = Omit<WalletCheckOptions, 'steadyMs'> & {
  steadyMs?(): number;
  readonly rounds: WalletRounds;
  /** Escrow contracts. A comparison leaves out contracts that cannot be compared now. */
  readonly contracts?: {
    list(after: ContractPlace | null, limit: number): Promise<ContractPlace[]>;
    compare(places: readonly ContractPlace[]): Promise<readonly ContractComparison[]>;
    /** The same with the word of the ledger, for contracts with a difference. */
    confirm(places: readonly ContractPlace[]): Promise<readonly ContractComparison[]>;
    /** Orders whose funding is incomplete and could not be ended yet; null when they cannot be read now. */
    listShort?(): Promise<readonly ShortFunding[] | null>;
  };
  readonly breaks: Pick<Breaks, 'see' | 'resolve' | 'resolveAccepted' | 'listOpen'>;
  /** Compares the payment provider's balance with the books; null when it cannot be compared now. */
  compareFloat?(): Promise<FloatComparison | null>;
  /** Compares the own accounts of marketplaces at the payment provider, twice each. */
  ownBreaks?(): Promise<readonly SeenBreak[]>;
  /** Marketplaces whose float is below what their credit line allows; null when they cannot be read now. */
  listOverdrawn?(): Promise<readonly OverdrawnFloat[] | null>;
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
      if (seen.kind !== SURPLUS_KIND) onBreak(seen);
    } else if (open.has(keyOf(seen))) {
      await breaks.resolve(seen);
    }
  };
};

type WalletChecks = ReturnType<typeof createWalletChecks>;
type Suspect = { readonly wallet: FollowedWallet; readonly first: SeenBreak[] };
type Checked = { readonly suspects: Suspect[]; readonly unsure: FollowedWallet[] };

/** Concludes on wallets without a difference, and returns the others for a second check. `unsure`: they cannot be compared now. */
const checkWallets = async (
  wallets: readonly FollowedWallet[],
  { checks, conclude }: { checks: WalletChecks; conclude: Conclude },
): Promise<Checked> => {
  const suspects: Suspect[] = [];
  const unsure: FollowedWallet[] = [];
  const checkOne = async (wallet: FollowedWallet): Promise<void> => {
    const first = await checks.check(wallet);
    if (first === null) {
      unsure.push(wallet);
      return;
    }
    if (first.some(differs)) {
      suspects.push({ wallet, first });
      return;
    }
    checks.clear(wallet);
    for (const one of first) await conclude(one);
  };
  const active = wallets.filter(({ status }) => status === 'ACTIVE');
  await fewAtOnce(active, { atOnce: CHECKS_AT_ONCE, work: checkOne });
  return { suspects, unsure };
};

/**
 * A contract that holds more than it has to is no break: others can pay into it. If the books have the difference there, the contract
 * has not paid what it should, and that is one.
 */
const contractBreak = ({ contractId: subject, marketplaceId, ...compared }: ContractComparison): SeenBreak => {
  const { expected, actual, held } = compared;
  const kind = actual > expected && held <= expected ? SURPLUS_KIND : 'contract';
  return { marketplaceId, kind, subject, expected, actual };
};

/** A contract has a break or a surplus, never both: the other one is over. */
const concludeContract = async (conclude: Conclude, seen: SeenBreak): Promise<void> => {
  const { expected } = seen;
  const kinds = ['contract', SURPLUS_KIND] as const;
  for (const kind of kinds) await conclude(kind === seen.kind ? seen : { ...seen, kind, actual: expected });
};

const compareAllContracts = async (options: Options): Promise<SeenBreak[]> => {
  const seen: SeenBreak[] = [];
  for (let last: ContractPlace | null = null; options.contracts; ) {
    const page: ContractPlace[] = await options.contracts.list(last, PAGE);
    seen.push(...(await options.contracts.compare(page)).map(contractBreak));
    last = page.at(-1) ?? null;
    if (page.length < PAGE) break;
  }
  return seen;
};

/** What the ledger shows counts at once, whatever the provider reported first. A report of the provider alone has to be the same again. */
const confirmContracts = async ({ contracts }: Options, suspects: readonly SeenBreak[]): Promise<SeenBreak[]> => {
  const places = suspects.map(({ marketplaceId, subject: contractId }) => ({ marketplaceId, contractId }));
  const again = (await contracts?.confirm(places)) ?? [];
  return again.filter((one) => one.isOnLedger || isSeenIn(suspects, contractBreak(one))).map(contractBreak);
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

const WALLET_KINDS: readonly string[] = ['wallet-usdc', 'wallet-xlm'];

const brokenWallets = (known: readonly BreakId[]): string[] => [
  ...new Set(known.filter(({ kind }) => WALLET_KINDS.includes(kind)).map(({ subject }) => subject)),
];

type Concluding = { readonly known: readonly BreakId[]; readonly conclude: Conclude };

/** The provider paid more than the marketplace had. The books show it already, so it needs no second look. */
const concludeOverdrawn = async ({ listOverdrawn, breaks }: Options, { known, conclude }: Concluding) => {
  const overdrawn = (await listOverdrawn?.()) ?? null;
  if (overdrawn === null) return;
  const seen: SeenBreak[] = overdrawn.map(({ marketplaceId, held, creditLine }) => {
    const expected = negated(creditLine);
    return { marketplaceId, kind: 'payment-float', subject: CREDIT_LINE, expected, actual: held };
  });
  for (const one of seen) await conclude(one);
  const still = new Set(seen.map(keyOf));
  const gone = known.filter((one) => one.subject === CREDIT_LINE && !still.has(keyOf(one)));
  for (const one of gone) await breaks.resolve(one);
};

const shortBreak = ({ marketplaceId, orderId, contractId, expected, actual }: ShortFunding): SeenBreak => {
  const held = `${formatExact(actual)} of ${formatExact(expected)} are in the contract ${contractId}`;
  const reason = `${held}, and it does not pay them back. The whole amount is still reserved for the order.`;
  return { marketplaceId, kind: 'short-funding', subject: orderId, expected, actual, reason };
};

/** An incomplete funding that was there at the beginning of the round and still is. */
const concludeShort = async (
  { contracts, breaks }: Options,
  { short, known, conclude }: Concluding & { readonly short: readonly ShortFunding[] },
) => {
  const listed = (await contracts?.listShort?.()) ?? null;
  if (listed === null) return;
  const before = short.map(shortBreak);
  const now = listed.map(shortBreak);
  for (const one of now.filter((seen) => isSeenIn(before, seen))) await conclude(one);
  const still = new Set(now.map(keyOf));
  const gone = known.filter((one) => one.kind === 'short-funding' && !still.has(keyOf(one)));
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
      await breaks.resolveAccepted();
      const known = await breaks.listOpen();
      const conclude = createConclude(options, known);
      const floatBefore = (await options.compareFloat?.()) ?? null;
      const round = await options.rounds.take(brokenWallets(known));
      const { suspects, unsure } = await checkWallets(round.wallets, { checks, conclude });
      const short = (await options.contracts?.listShort?.()) ?? [];
      const contracts = await compareAllContracts(options);
      for (const one of contracts.filter((seen) => !differs(seen))) await concludeContract(conclude, one);
      // After all first checks, so that some time lies between the two checks of a suspect.
      await fewAtOnce(suspects, {
        atOnce: CHECKS_AT_ONCE,
        async work({ wallet, first }) {
          const confirmed = await checks.confirm(wallet, first);
          if (confirmed.length === 0) unsure.push(wallet);
          for (const one of confirmed) await conclude(one);
        },
      });
      await options.rounds.finish(round, unsure);
      const confirmed = await confirmContracts(options, contracts.filter(differs));
      for (const one of confirmed) await concludeContract(conclude, one);
      await concludeShort(options, { short, known, conclude });
      const float = floatBreak(floatBefore, (floatBefore && (await options.compareFloat?.())) ?? null);
      if (float) await concludeFloat(float, { known, conclude });
      await concludeOverdrawn(options, { known, conclude });
      for (const one of (await options.ownBreaks?.()) ?? []) await conclude(one);
    },
  };
};
