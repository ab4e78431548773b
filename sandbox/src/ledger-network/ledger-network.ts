// The simulator of the ledger network: accounts, trustlines, sequence numbers, signatures, payments and contracts, read and submitted
// over the network's own HTTP paths. It depends only on its clock and its state; there is no randomness.

import type { xdr } from '@stellar/stellar-sdk';
import { openFees } from '../network-fees.ts';
import type { LedgerConfig } from '../sandbox-config.ts';
import type { Simulator, SimulatorTools } from '../simulator.ts';
import { formatAmount } from './amounts.ts';
import { type AssetName, NATIVE, toAsset } from './assets.ts';
import { recordAuthority } from './authority.ts';
import { type AccountSettings, changeAccount } from './data-entries.ts';
import { openDraft } from './draft.ts';
import { type FaucetPayment, outsidePayments, payFromOutside } from './faucet.ts';
import { createInitialAccounts, initialAccounts } from './initial-accounts.ts';
import { type Call, type Program, runCall } from './invoke.ts';
import { currentLedger } from './ledgers.ts';
import { openViews } from './node-view.ts';
import { notFound } from './problems.ts';
import { paymentRoutes } from './routes-payments.ts';
import { readRoutes } from './routes-read.ts';
import { submitRoutes } from './routes-submit.ts';
import { rpcRoutes } from './rpc/ledger-entries.ts';
import { type Account, type Contract, movesOf, openStore, type Transaction } from './store.ts';
import { type Network, type Outcome, submit, type Twist } from './submit.ts';

export type { AccountSettings } from './data-entries.ts';
export type { FaucetPayment } from './faucet.ts';

export type LedgerNetwork = Simulator & {
  passphrase: string;
  // The price per operation at this moment.
  currentFee(): number;
  issuer: string;
  protocolFees: string;
  // A payment from outside. Throws a Refusal that says what to do when the address cannot receive it.
  faucet(payment: FaucetPayment): { hash: string };
  submit(text: string, twist?: Twist): Outcome;
  // Runs a call on a copy that is discarded, and returns the authorisations that its signer will have to give.
  simulate(call: Call, source: string): xdr.SorobanAuthorizationEntry[];
  account(address: string): Account | undefined;
  changeAccount(address: string, settings: AccountSettings): { address: string; data: Record<string, string> };
  contract(address: string): Contract | undefined;
  // All contracts, or those that one account created.
  contracts(creator?: string): Iterable<Contract>;
  find(hash: string): Transaction | undefined;
  // The total that a contract received, and the receivers that it paid.
  movesOf(contract: string): { received: bigint; paid: Set<string> };
  // The asset of a token contract, or the token contract of an asset.
  assetOf(token: string): AssetName | undefined;
  tokenOf(asset: AssetName): string;
  install(program: string, run: Program): void;
  // Creates a contract that exists from the start.
  found(contract: Pick<Contract, 'address' | 'program'>): void;
};

export function ledgerNetwork(tools: SimulatorTools<LedgerConfig>): LedgerNetwork {
  const { app, clock, config, slice } = tools;
  const { passphrase, baseFee } = config;
  const store = openStore(slice);
  const initial = initialAccounts(passphrase);
  const tokenOf = (asset: AssetName) => toAsset(asset).contractId(passphrase);
  const tokens = new Map([NATIVE, initial.usdc].map((asset) => [tokenOf(asset), asset]));
  const programs = new Map<string, Program>();
  const fees = openFees({ faults: tools.faults, baseFee });
  const network: Network = { store, passphrase, baseFee, fees, now: clock.now, programs, tokens };
  const outside = { network, initial };

  const viewOf = openViews({ ...tools, store });
  const read = { ...tools, store, fees, viewOf };
  readRoutes(read);
  paymentRoutes(read);
  rpcRoutes({ ...read, tokens });
  submitRoutes({ ...tools, outside });
  app.setNotFoundHandler(() => {
    throw notFound();
  });

  return {
    passphrase,
    currentFee: fees.current,
    issuer: initial.issuer.publicKey(),
    protocolFees: initial.protocolFees.publicKey(),
    begin() {
      createInitialAccounts({ store, initial, nowMs: clock.now() });
      store.index();
    },
    describe: () => ({
      network: {
        passphrase,
        baseFee,
        latestLedger: currentLedger(store, clock.now()),
        usdcIssuer: initial.issuer.publicKey(),
        outsider: initial.outsider.publicKey(),
        protocolFees: initial.protocolFees.publicKey(),
      },
      accounts: [...store.accounts.values()].map(describeAccount),
      transactions: [...store.transactions.values()].map(describeTransaction),
      outsidePayments: outsidePayments(outside),
    }),
    faucet: (payment) => payFromOutside(outside, payment),
    submit: (text, twist) => submit(network, { text, twist }),
    simulate(call, source) {
      const { authority, entries } = recordAuthority({ call, source });
      const at = clock.now();
      const machine = { ledger: currentLedger(store, at), at, programs, tokens, alter: (amount: bigint) => amount };
      runCall(call, { draft: openDraft(store), machine, authority });
      return entries();
    },
    account: (address) => store.accounts.get(address),
    changeAccount(address, settings) {
      const { data = {} } = changeAccount(store, { ...settings, address, usdc: initial.usdc });
      return { address, data };
    },
    contract: (address) => store.contracts.get(address),
    contracts(creator) {
      if (creator === undefined) return store.contracts.values();
      return (store.creations.get(creator) ?? []).map((address) => store.contracts.get(address)!);
    },
    find: store.find,
    movesOf: (contract) => movesOf(store, contract),
    assetOf: (token) => tokens.get(token),
    tokenOf,
    install: (program, run) => programs.set(program, run),
    found({ address, program }) {
      if (store.contracts.has(address)) return;
      const at = clock.now();
      const place = { address, program, code: null, creator: null };
      const contract = { ...place, balances: {}, data: null, createdAt: at, changedAt: at };
      store.contracts.set(address, contract);
    },
  };
}

const describeAccount = ({ address, sequence, native, lines }: Account) => ({
  address,
  sequence: String(sequence),
  balances: {
    native: formatAmount(native),
    ...Object.fromEntries(Object.entries(lines).map(([asset, { balance }]) => [asset, formatAmount(balance)])),
  },
});

const describeTransaction = ({ hash, successful, ledger, at, source, codes, reason }: Transaction) => ({
  hash,
  successful,
  ledger,
  at: new Date(at).toISOString(),
  source,
  codes,
  reason,
});
