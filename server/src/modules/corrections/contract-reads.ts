// Reads escrow contracts for corrections: what a contract holds, its state at the escrow provider, and its calls on the ledger. Two systems
// are asked about money, and a difference between them is unknown. It changes nothing.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Answer, unknown, yes } from '../../base/answer.ts';
import { parseInstant } from '../../base/instant.ts';
import { type Amount, formatExact, ZERO } from '../../books/money.ts';
import type { Context } from '../../commit/command.ts';
import { tokenOf } from '../../ledger/format/contract-values.ts';
import { readEscrowCall } from '../../ledger/format/read-escrow-call.ts';
import { readIncluded } from '../../ledger/format/read-transaction.ts';
import { assetOf } from '../../ledger/keys/wallet.ts';
import { asUnknown } from '../../ledger/transactions/ledger.ts';
import type {
  AccountTransaction,
  EscrowProvider,
  EscrowRecord,
  LedgerAsset,
  LedgerNetwork,
} from '../../providers/ports.ts';
import { type DoneCall, deployedContract, type Escrow } from '../escrows/escrow.ts';

type Options = {
  /** Null: no escrow provider is configured. */
  readonly escrow: EscrowProvider | null;
  readonly network: Pick<LedgerNetwork, 'passphrase' | 'contractBalance' | 'transactionsOf'>;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
};

export type ContractReads = ReturnType<typeof createContractReads>;

const NATIVE: LedgerAsset = { code: 'XLM', issuer: null };

/** A wallet with more transactions since the escrow was made cannot be read for one request. */
const PAGES_MAX = 50;

/** The clocks of the ledger and of this server may differ. */
const CLOCKS_DIFFER_US = 600_000_000;

const unclear = (reason: string) => unknown(reason, { code: 'unclear' });

/** The contract of the escrow; null while none is deployed. */
export const contractOf = (escrow: Escrow): string | null => escrow.providerContractId ?? deployedContract(escrow);

type Holding = { readonly contractId: string; readonly currency: Currency };

/** The calls of one transaction that concern the contract. */
const callsIn = ({ envelope }: AccountTransaction, of: { escrow: Escrow; passphrase: string }): DoneCall[] => {
  const { buyer, seller } = of.escrow;
  return (readIncluded(envelope)?.operations ?? []).flatMap((facts): DoneCall[] => {
    const read = facts.type === 'call' ? readEscrowCall(facts, of.passphrase) : null;
    if (!read || read.contractId !== contractOf(of.escrow)) return [];
    const { call, milestone, shares } = read;
    const units = shares
      ? { sellerUnits: shares[seller.address] ?? '0', buyerUnits: shares[buyer.address] ?? '0' }
      : {};
    return [{ call, milestone, ...units }];
  });
};

export const createContractReads = ({ escrow: provider, network, usdc }: Options) => {
  const providerOf = ({ marketplaceId }: Context) => provider?.forMarketplace(marketplaceId) ?? null;

  const shownByProvider = async (context: Context, contractId: string): Promise<Answer<Amount>> => {
    const found = await providerOf(context)?.balances([contractId]);
    if (found?.kind !== 'yes') return unclear(found?.reason ?? 'No escrow provider is set.');
    const shown = found.value.find((each) => each.contractId === contractId);
    return shown ? yes(shown.balance) : unclear('The escrow provider does not show the contract.');
  };

  /** A server without access to the contracts of the ledger asks the provider a second time. */
  const again = (context: Context, { contractId, currency }: Holding): Promise<Answer<Amount | null>> =>
    network
      .contractBalance({ contractId, token: tokenOf(assetOf(currency) === 'XLM' ? NATIVE : usdc, network.passphrase) })
      .then((shown) =>
        shown.kind === 'unknown' && shown.code === 'misconfigured' ? shownByProvider(context, contractId) : shown,
      );

  const listCalls = async (address: string, escrow: Escrow): Promise<Answer<DoneCall[]>> => {
    const since = (parseInstant(escrow.createdAt) ?? 0) - CLOCKS_DIFFER_US;
    const calls: DoneCall[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX; page++) {
      const read: Awaited<ReturnType<LedgerNetwork['transactionsOf']>> = await network.transactionsOf({
        address,
        cursor,
      });
      if (read.kind !== 'yes') return asUnknown(read);
      const { transactions, isLast } = read.value;
      const recent = transactions.filter(({ at }) => Date.parse(at) * 1_000 >= since);
      const own = recent.filter(({ source, successful }) => source === address && successful);
      calls.push(...own.flatMap((one) => callsIn(one, { escrow, passphrase: network.passphrase })));
      cursor = transactions.at(-1)?.cursor ?? null;
      if (isLast || recent.length < transactions.length || cursor === null) return yes(calls);
    }
    return unclear('The wallet has too many transactions to be read now.');
  };

  return {
    /** What the contract holds, as both the provider and the ledger show it. */
    async balanceOf(context: Context, holding: Holding): Promise<Answer<Amount>> {
      const first = await shownByProvider(context, holding.contractId);
      if (first.kind !== 'yes') return first;
      const second = await again(context, holding);
      if (second.kind !== 'yes') return asUnknown(second);
      const onLedger = second.value ?? ZERO;
      if (onLedger === first.value) return first;
      const both = `the provider shows ${formatExact(first.value)} and the ledger ${formatExact(onLedger)}`;
      return unclear(`The contract holds two different amounts: ${both}.`);
    },

    /** The provider's record of the contract. */
    async recordOf(context: Context, escrow: Escrow): Promise<Answer<EscrowRecord>> {
      const contractId = contractOf(escrow);
      const found = await providerOf(context)?.findByContract([contractId ?? '']);
      if (found?.kind !== 'yes') return unclear(found?.reason ?? 'No escrow provider is set.');
      const record = found.value.find((each) => each.contractId === contractId);
      if (record?.engagementId === escrow.orderId) return yes(record);
      return unclear('The escrow provider does not show the contract of this order.');
    },

    /** The calls that the wallets of the escrow have made on the ledger, with the shares of each resolution. */
    async callsOf(escrow: Escrow): Promise<Answer<readonly DoneCall[]>> {
      const calls: DoneCall[] = [];
      for (const { address } of [escrow.buyer, escrow.seller, escrow.platform]) {
        const read = await listCalls(address, escrow);
        if (read.kind !== 'yes') return read;
        calls.push(...read.value);
      }
      return yes(calls);
    },
  };
};
