// Compares the sequence numbers of our wallets with the ledger, and adopts what the rows lack. At a start the platform's own wallets are
// compared: every payment of the service moves one of them. If one is behind, or after payments were held, all wallets are compared, and
// those that could not be read again and again. A release of the hold does not end the comparison.

import { fewAtOnce } from '../../base/concurrency.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { LedgerNetwork } from '../../providers/ports.ts';
import type { DepositReads, FollowedWallet } from '../deposits/queries.ts';
import type { RecordComparison } from '../holds/payment-hold.ts';
import type { HoldReads } from '../holds/queries.ts';
import type { Adoption } from './adoption.ts';
import { compareWallet } from './compare-wallet.ts';
import type { AdoptionReads } from './queries.ts';

type Options = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly adoption: Adoption;
  readonly reads: Pick<AdoptionReads, 'platformWallets'>;
  readonly wallets: DepositReads['followed'];
  readonly holds: Pick<HoldReads, 'notCompared'>;
  readonly recordComparison: RecordComparison;
};

type Compared = { readonly marketplaceId: string; readonly address: string };

const PAGE = 200;
const AT_ONCE = 4;

/** A wallet that is `held` was read. `unread`: it could not be compared, or has a transaction that is not settled yet. */
type Seen = 'same' | 'adopted' | 'held' | 'unread';

type Comparison = { readonly adopted: number; readonly held: number; readonly unread: readonly Compared[] };

const PASSES_MAX = 5;

const createComparison = (options: Options) => {
  const { adoption, wallets } = options;
  const compareOne = async ({ marketplaceId, address: source }: Compared): Promise<Seen> => {
    const compared = await compareWallet(options, { marketplaceId, source });
    if (compared.kind === 'yes') return compared.value;
    return adoption.isHeld(compared) ? 'held' : 'unread';
  };

  const compare = async (places: readonly Compared[]): Promise<Comparison> => {
    const counts = { same: 0, adopted: 0, held: 0, unread: 0 };
    const unread: Compared[] = [];
    await fewAtOnce(places, {
      atOnce: AT_ONCE,
      async work(place) {
        const seen = await compareOne(place);
        counts[seen]++;
        if (seen === 'unread') unread.push(place);
      },
    });
    return { adopted: counts.adopted, held: counts.held, unread };
  };

  const comparePass = async (): Promise<Comparison> => {
    const unread: Compared[] = [];
    const counts = { adopted: 0, held: 0 };
    for (let last: FollowedWallet | null = null; ; ) {
      const page: FollowedWallet[] = await wallets(last, PAGE);
      const seen = await compare(page);
      counts.adopted += seen.adopted;
      counts.held += seen.held;
      unread.push(...seen.unread);
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return { ...counts, unread };
    }
  };

  return {
    compare,
    /** Again while something was adopted: a wallet that the books had not on the ledger may have become active by it. */
    async compareAll(): Promise<Comparison> {
      let seen = await comparePass();
      for (let passes = 1; passes < PASSES_MAX && seen.adopted > 0 && seen.unread.length === 0; passes++) {
        seen = await comparePass();
      }
      return seen;
    },
  };
};

const isComplete = ({ adopted, unread }: Comparison): boolean => adopted === 0 && unread.length === 0;

export const adoptTransactions = (options: Options): Job => {
  const { reads, holds, recordComparison } = options;
  const { compare, compareAll } = createComparison(options);
  let isStarted = false;
  /** The comparison of all wallets that is not complete, and the hold that it is for. */
  let rest: (Comparison & { readonly since: string | null }) | null = null;

  /** Only what could not be read is read again. When all of it was read, all wallets are compared once more. */
  const goOn = async (since: string | null): Promise<void> => {
    const unread = rest !== null && rest.since === since ? rest.unread : [];
    const seen = unread.length > 0 ? await compare(unread) : await compareAll();
    const left = unread.length > 0 && seen.unread.length === 0 ? await compareAll() : seen;
    rest = isComplete(left) ? null : { ...left, since };
  };

  return {
    ...scheduled('adopt-transactions'),
    atStart: true,
    async run() {
      const open = await holds.notCompared('ledger');
      const platform = isStarted ? null : await compare(await reads.platformWallets());
      if (platform) isStarted = platform.unread.length === 0;
      const isBehind = platform !== null && platform.adopted + platform.held > 0;
      if (open.length === 0 && rest === null && !isBehind) return;
      await goOn(open.at(-1)?.since ?? null);
      if (rest !== null) return;
      for (const hold of open) await recordComparison(hold, 'ledger');
    },
  };
};
