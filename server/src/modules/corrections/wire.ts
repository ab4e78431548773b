// Wires corrections: what each kind asks, and the routes. It decides nothing.

import type pg from 'pg';
import { DomainError } from '../../base/domain-error.ts';
import type { ReactionHandlers } from '../../commit/reactions.ts';
import type { Config } from '../../config/config.ts';
import type { Route } from '../../http/route.ts';
import type { Adoption } from '../../ledger/adoption/adoption.ts';
import { depositCurrencyOf } from '../../ledger/deposits/deposits.ts';
import type { DepositReads } from '../../ledger/deposits/queries.ts';
import type { WalletReads } from '../../ledger/keys/wallet-queries.ts';
import type { TransactionSender } from '../../ledger/transactions/transaction-sender.ts';
import type { LedgerNetwork, PaymentAccounts } from '../../providers/ports.ts';
import type { Providers } from '../../providers/providers.ts';
import type { FindOrder } from '../operations/operation-context.ts';
import { createOperationReads } from '../operations/queries.ts';
import type { ReconciliationModule } from '../reconciliation/wire.ts';
import { createTopUpReads } from '../topups/queries.ts';
import { createWithdrawalReads } from '../withdrawals/queries.ts';
import { createContractReads } from './contract-reads.ts';
import type { Kinds, VoidRefusedCalls } from './kind.ts';
import { abandonOperation } from './kinds/abandon-operation.ts';
import { adoptContractState } from './kinds/adopt-contract-state.ts';
import type { ObserveAddress } from './kinds/book-wallet.ts';
import { cancelUnfundedOrder } from './kinds/cancel-unfunded-order.ts';
import { closeBreak } from './kinds/close-break.ts';
import { creditLateTopUp } from './kinds/credit-late-topup.ts';
import { retryOperation } from './kinds/retry-operation.ts';
import { settlePayout } from './kinds/settle-payout.ts';
import { settleShortFunding } from './kinds/settle-short-funding.ts';
import { createCorrectionReads } from './queries.ts';
import { correctionRoutes } from './routes.ts';

type Options = {
  readonly pool: pg.Pool;
  readonly providers: Pick<Providers, 'escrow' | 'asset'>;
  readonly credentials: { readonly accounts: PaymentAccounts };
  readonly ledger: {
    readonly network: LedgerNetwork;
    readonly depositReads: Pick<DepositReads, 'atAddresses'>;
    readonly sender: Pick<TransactionSender, 'voidRejected'> & { readonly adoption: Pick<Adoption, 'adopt'> };
    readonly wallets: Pick<WalletReads, 'find'>;
  };
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly orders: { readonly reads: { readonly find: FindOrder } };
  readonly reconciliation: Pick<ReconciliationModule, 'reads' | 'onLedger'>;
  readonly config: Pick<Config, 'money' | 'deposits'>;
};

/** The wallet of the address in its marketplace, compared with the ledger. */
const observeAddress =
  ({ ledger, reconciliation, config }: Pick<Options, 'ledger' | 'reconciliation' | 'config'>): ObserveAddress =>
  async (marketplaceId, { kind, subject }) => {
    const usdcCurrency = depositCurrencyOf(config.money.baseCurrency, config.deposits.currency);
    const found = await ledger.depositReads.atAddresses([subject]);
    const wallet = found.find((one) => one.marketplaceId === marketplaceId);
    if (!wallet) throw new DomainError('WALLET_NOT_FOUND');
    const asset = kind === 'wallet-xlm' ? 'XLM' : 'USDC';
    const observation = await reconciliation.onLedger.observeWallet(wallet, asset);
    return { observation, userId: wallet.userId, asset, currency: asset === 'XLM' ? 'XLM' : usdcCurrency };
  };

/** For each wallet that signs calls of the escrow, one after the other. */
const voidingOf =
  ({ wallets, sender }: Pick<Options['ledger'], 'wallets' | 'sender'>): VoidRefusedCalls =>
  async (marketplaceId, { buyer, seller, platform }) => {
    for (const { walletId } of [buyer, seller, platform]) {
      const wallet = await wallets.find(marketplaceId, walletId);
      const voided = wallet && (await sender.voidRejected({ marketplaceId, wallet }));
      if (voided && voided.kind !== 'yes') return voided.reason;
    }
    return null;
  };

export const wireCorrections = ({ pool, providers, ...options }: Options): { readonly routes: readonly Route[] } => {
  const { accounts } = options.credentials;
  const reads = createCorrectionReads(pool);
  const findOrder = options.orders.reads.find;
  const { network, sender } = options.ledger;
  // The adoption reports its own failures. The next transaction of the wallet would adopt them too.
  options.reactions.on('wallets-behind', ({ addresses }, { marketplaceId }) => {
    for (const source of addresses) void sender.adoption.adopt({ marketplaceId, source });
  });
  const contracts = createContractReads({ escrow: providers.escrow, network, usdc: providers.asset });
  const voidRefusedCalls = voidingOf(options.ledger);
  const kinds: Kinds = {
    'cancel-unfunded-order': cancelUnfundedOrder({ findOrder, reads, contracts }),
    'adopt-contract-state': adoptContractState({ findOrder, contracts }),
    'settle-short-funding': settleShortFunding({ findOrder, contracts, voidRefusedCalls }),
    'credit-late-topup': creditLateTopUp({
      topups: createTopUpReads(pool),
      accounts,
      breaks: options.reconciliation.reads,
    }),
    'settle-payout': settlePayout({ withdrawals: createWithdrawalReads(pool), accounts }),
    'close-break': closeBreak({
      breaks: options.reconciliation.reads,
      observe: observeAddress(options),
      statusOf: async (marketplaceId, orderId) => (await findOrder(marketplaceId, orderId))?.order.status ?? null,
    }),
    'retry-operation': retryOperation(),
    'abandon-operation': abandonOperation({ operations: createOperationReads(pool), findOrder, voidRefusedCalls }),
  };
  return { routes: correctionRoutes({ kinds, reads }) };
};
