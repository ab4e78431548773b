// Compares every active wallet, every escrow contract, and what the payment provider holds, with the books, and keeps where
// they differ. It never moves money. A difference counts only when it is seen twice, and never for what is on its way: a proof
// that says no for nothing teaches its readers not to look.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { fewAtOnce } from '../../base/few-at-once.ts';
import { type Amount, minus, negated, ZERO } from '../../books/money.ts';
import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { FollowedWallet } from '../../ledger/deposits/queries.ts';
import type { FloatLook } from '../float/float-balance.ts';
import type { BreakId, Breaks, SeenBreak } from './breaks.ts';
import type { ContractPlace } from './queries.ts';

type Compared = { readonly expected: Amount; readonly actual: Amount };

type Options = {
  wallets(after: FollowedWallet | null, limit: number): Promise<FollowedWallet[]>;
  compare(
    wallet: FollowedWallet,
  ): Promise<
    | { readonly kind: 'seen'; readonly assets: { readonly USDC: Compared; readonly XLM: Compared } }
    | { readonly kind: 'busy' | 'unknown' }
  >;
  /** Whether the ledger shows deposits that are not in the books yet: then the watcher is behind, and nothing is wrong. */
  arePending(
    wallet: FollowedWallet,
  ): Promise<{ readonly kind: 'yes'; readonly value: boolean } | { kind: 'no' | 'unknown' }>;
  /** Escrow contracts; those about which nothing certain can be said now are left out of a comparison. */
  readonly contracts?: {
    list(after: ContractPlace | null, limit: number): Promise<ContractPlace[]>;
    compare(places: readonly ContractPlace[]): Promise<readonly (ContractPlace & Compared)[]>;
  };
  readonly breaks: Pick<Breaks, 'see' | 'resolve' | 'listOpen'>;
  /** What the payment provider holds against the books; null while nothing can be said. */
  lookAtFloat?(): Promise<FloatLook | null>;
  /** How long deposits may wait for the watcher at one place before that is a break of its own. */
  readonly depositPatienceMs: number;
  /** Goes on evenly whatever happens to the wall clock. */
  steadyMs?(): number;
  /** Told of every difference, each time it is seen. */
  onBreak(seen: SeenBreak): void;
};

/** The provider keeps one balance for all marketplaces: a difference between several is shown where the operator looks first. */
const SHARED = DEFAULT_MARKETPLACE;
const PROVIDER = 'payment-provider';
const PAGE = 200;
const LOOKS_AT_ONCE = 4;
/** Of deposits without a pause. */
const RESTLESS_MAX_MS = 3_600_000;

const keyOf = ({ marketplaceId, kind, subject }: BreakId): string => `${marketplaceId} ${kind} ${subject}`;

const differenceOf = ({ expected, actual }: Compared): Amount => minus(actual, expected);

const differs = (compared: Compared): boolean => differenceOf(compared) !== ZERO;

const sizeOf = (amount: Amount): Amount => (amount < ZERO ? negated(amount) : amount);

const isSeenIn = (earlier: readonly SeenBreak[], seen: SeenBreak): boolean =>
  earlier.some((one) => keyOf(one) === keyOf(seen) && differenceOf(one) === differenceOf(seen));

export const reconcile = (options: Options): Job => {
  const { breaks, steadyMs = () => performance.now() } = options;

  /** Null: it cannot be said now, so what was said before stands. */
  const look = async (wallet: FollowedWallet): Promise<SeenBreak[] | null> => {
    const comparison = await options.compare(wallet);
    if (comparison.kind !== 'seen') return null;
    const { marketplaceId, address: subject } = wallet;
    const { USDC, XLM } = comparison.assets;
    return [
      { marketplaceId, kind: 'wallet-usdc', subject, ...USDC },
      { marketplaceId, kind: 'wallet-xlm', subject, ...XLM },
    ];
  };

  /** Wallets with deposits that were not taken in when last looked at: where the watcher stands, and since when. */
  const behind = new Map<string, { cursor: string; standsSince: number; restlessSince: number }>();

  const placeOf = ({ marketplaceId, id }: FollowedWallet): string => `${marketplaceId}/${id}`;

  /**
   * A deposit on its way is no break, but one at which the watcher stands for too long will not come by itself. By the time and
   * not by looks: two may follow each other at once, one at the start and one at its hour. Where the watcher has gone on, what
   * is pending is another one; a wallet that never rests is compared all the same.
   */
  const isOnItsWay = (wallet: FollowedWallet): boolean => {
    const now = steadyMs();
    const known = behind.get(placeOf(wallet));
    const standsSince = known?.cursor === wallet.paymentsCursor ? known.standsSince : now;
    const restlessSince = known?.restlessSince ?? now;
    const isPatient = now - standsSince < options.depositPatienceMs && now - restlessSince < RESTLESS_MAX_MS;
    const place = { cursor: wallet.paymentsCursor, standsSince, restlessSince: isPatient ? restlessSince : now };
    behind.set(placeOf(wallet), place);
    return isPatient;
  };

  const lookTwice = async (wallet: FollowedWallet, first: readonly SeenBreak[]): Promise<SeenBreak[]> => {
    const pending = await options.arePending(wallet);
    if (pending.kind !== 'yes') return [];
    if (!pending.value) behind.delete(placeOf(wallet));
    else if (isOnItsWay(wallet)) return [];
    const second = (await look(wallet)) ?? [];
    return second.filter((seen) => isSeenIn(first, seen));
  };

  const lookAtContracts = async (places: readonly ContractPlace[]): Promise<SeenBreak[]> =>
    ((await options.contracts?.compare(places)) ?? []).map(
      ({ contractId: subject, marketplaceId, expected, actual }) => {
        return { marketplaceId, kind: 'contract', subject, expected, actual };
      },
    );

  /** What every contract came to at the first look. */
  const lookAtAllContracts = async (): Promise<SeenBreak[]> => {
    const seen: SeenBreak[] = [];
    for (let last: ContractPlace | null = null; options.contracts; ) {
      const page: ContractPlace[] = await options.contracts.list(last, PAGE);
      seen.push(...(await lookAtContracts(page)));
      last = page.at(-1) ?? null;
      if (page.length < PAGE) break;
    }
    return seen;
  };

  /** What both looks agree on, if they do: zero before all others, and otherwise the smallest. */
  const floatSeen = (before: FloatLook | null, after: FloatLook | null): SeenBreak | null => {
    if (!before || !after) return null;
    const common = after.possible.filter((one) => before.possible.includes(one));
    const difference = common.find((one) => common.every((other) => sizeOf(one) <= sizeOf(other)));
    if (difference === undefined) return null;
    const { actual, marketplaces } = after;
    const marketplaceId = marketplaces.length === 1 ? marketplaces[0]! : SHARED;
    return { marketplaceId, kind: 'payment-float', subject: PROVIDER, expected: minus(actual, difference), actual };
  };

  return {
    ...onTime('reconcile'),
    atStart: true,
    async run() {
      const known = await breaks.listOpen();
      const open = new Set(known.map(keyOf));
      const conclude = async (seen: SeenBreak): Promise<void> => {
        if (differs(seen)) {
          await breaks.see(seen);
          options.onBreak(seen);
        } else if (open.has(keyOf(seen))) {
          await breaks.resolve(seen);
        }
      };

      const floatBefore = (await options.lookAtFloat?.()) ?? null;
      const suspects: { wallet: FollowedWallet; first: SeenBreak[] }[] = [];
      for (let last: FollowedWallet | null = null; ; ) {
        const page: FollowedWallet[] = await options.wallets(last, PAGE);
        const active = page.filter(({ status }) => status === 'ACTIVE');
        await fewAtOnce(active, {
          atOnce: LOOKS_AT_ONCE,
          async work(wallet) {
            const first = await look(wallet);
            if (first?.some(differs)) {
              suspects.push({ wallet, first });
              return;
            }
            if (first) behind.delete(placeOf(wallet));
            for (const one of first ?? []) await conclude(one);
          },
        });
        last = page.at(-1) ?? null;
        if (page.length < PAGE) break;
      }
      const contracts = await lookAtAllContracts();
      for (const one of contracts.filter((seen) => !differs(seen))) await conclude(one);
      // After all others, so that some time lies between the two looks.
      await fewAtOnce(suspects, {
        atOnce: LOOKS_AT_ONCE,
        async work({ wallet, first }) {
          for (const one of await lookTwice(wallet, first)) await conclude(one);
        },
      });
      const doubtful = contracts.filter(differs);
      const again = doubtful.map(({ marketplaceId, subject: contractId }) => ({ marketplaceId, contractId }));
      for (const one of await lookAtContracts(again)) if (isSeenIn(doubtful, one)) await conclude(one);
      const float = floatSeen(floatBefore, (floatBefore && (await options.lookAtFloat?.())) ?? null);
      if (!float) return;
      await conclude(float);
      const isElsewhere = (one: BreakId) => one.kind === float.kind && keyOf(one) !== keyOf(float);
      for (const former of known.filter(isElsewhere)) await breaks.resolve(former);
    },
  };
};
