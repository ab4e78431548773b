// Compares the balance of each own account of a marketplace at the payment provider with the books of that marketplace. The figures of
// one marketplace never appear in a break of another.

import { plus, ZERO } from '../../books/money.ts';
import type { PaymentAccounts } from '../../providers/ports.ts';
import { commonDifference, createFloatBalance } from '../float/float-balance.ts';
import type { FloatReads } from '../float/queries.ts';
import type { OwnAccount } from '../provider-credentials/queries.ts';
import type { SeenBreak } from './breaks.ts';

type Parts = {
  readonly accounts: Pick<PaymentAccounts, 'of'>;
  /** The own accounts of all marketplaces, former ones too: their money stays there. */
  listAccounts(): Promise<readonly OwnAccount[]>;
  readonly reads: Pick<FloatReads, 'floatPosition'>;
  onNotCompared(reason: string, account: OwnAccount): void;
};

/** Returns what both comparisons of an account saw, also when there is no difference. Accounts that cannot be compared are left out. */
export const createOwnBreaks = ({ accounts, listAccounts, reads, onNotCompared }: Parts) => {
  const compareTwice = async (account: OwnAccount): Promise<SeenBreak[]> => {
    const { marketplaceId, credentialsId, providerAccount } = account;
    const payment = (await accounts.of({ marketplaceId, credentialsId }))?.withPriority('background') ?? null;
    const report = (reason: string): void => onNotCompared(reason, account);
    const compare = createFloatBalance({ payment, reads, providerAccount, onNotCompared: report });
    const before = await compare();
    const after = before && (await compare());
    const difference = before && after && commonDifference(before, after);
    if (!after || difference === null) return [];
    const expected = after.floats.find((float) => float.marketplaceId === marketplaceId)?.amount ?? ZERO;
    const actual = plus(expected, difference);
    return [{ marketplaceId, kind: 'payment-float', subject: providerAccount, expected, actual }];
  };

  return async (): Promise<SeenBreak[]> => {
    const seen: SeenBreak[] = [];
    for (const account of await listAccounts()) {
      // One account that cannot be opened must not hide the others.
      seen.push(...(await compareTwice(account).catch((error: unknown) => notCompared(account, error))));
    }
    return seen;
  };

  function notCompared(account: OwnAccount, error: unknown): SeenBreak[] {
    onNotCompared(error instanceof Error ? error.message : String(error), account);
    return [];
  }
};
