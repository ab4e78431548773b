// The client of Surface B, for programs that were written against it: persons with a password, projects, and an escrow for each
// project. Amounts are numbers with at most two decimal places. POST requests are not repeated after a lost answer, and a lost
// answer cannot be requested again; only `initEscrow` continues after a 504.

import { surfaceBRefusalOf } from './answers.ts';
import { type List, listOf } from './pages.ts';
import {
  type ConnectWalletInput,
  type ConnectWalletResult,
  type CreateProjectInput,
  type CreateProjectResult,
  type GetBalancesResult,
  type InitEscrowInput,
  type InitEscrowResult,
  type ListProjectsQuery,
  type ListProjectsResult,
  type ListTransactionsQuery,
  type ListTransactionsResult,
  type LoginInput,
  type LoginResult,
  type RegisterInput,
  type RegisterResult,
  type ReleaseEscrowInput,
  type ReleaseEscrowResult,
  SURFACE_B_ROUTES,
} from './printed/surface-b.ts';
import { type Ask, type CallOptions, type ClientOptions, createTransport, type Transport } from './transport.ts';

export type SurfaceBOptions = Omit<ClientOptions, 'apiKey' | 'marketplaceId'> & {
  /** The token of an earlier registration or login. */
  token?: string;
};

export type Project = ListProjectsResult['projects'][number];
export type Transaction = ListTransactionsResult['transactions'][number];

type RouteName = keyof typeof SURFACE_B_ROUTES;
type Paged = { readonly pagination: { readonly page: number; readonly pages: number } };

/**
 * The client of one person on Surface B. Register or log in with it, or pass an existing token.
 *
 * A refusal is a `HoldfastError` with the code `REFUSED`; its `status` says what kind of refusal it is.
 */
export class SurfaceB {
  readonly #transport: Transport;
  #token: string | undefined;

  constructor({ token, ...options }: SurfaceBOptions) {
    this.#token = token;
    this.#transport = createTransport(options, {
      prefix: '',
      bearer: () => this.#token,
      refusalOf: surfaceBRefusalOf,
    });
  }

  /** The token of the last registration or login with this client. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Creates an account; this client then acts for it. */
  async register(input: RegisterInput, options?: CallOptions): Promise<RegisterResult> {
    const registered = await this.#call<RegisterResult>('register', { body: input }, options);
    this.#token = registered.token;
    return registered;
  }

  /** Logs in; this client then acts for that person. */
  async login(input: LoginInput, options?: CallOptions): Promise<LoginResult> {
    const entered = await this.#call<LoginResult>('login', { body: input }, options);
    this.#token = entered.token;
    return entered;
  }

  /** One entry for each currency. */
  async balances(options?: CallOptions): Promise<GetBalancesResult['balances']> {
    return (await this.#call<GetBalancesResult>('getBalances', {}, options)).balances;
  }

  /** Every change of the available balance, newest first. */
  transactions(query: ListTransactionsQuery = {}, options?: CallOptions): List<Transaction> {
    return pagesOf(query.page, async (page) => {
      const asked = { query: { ...query, page } };
      const answer = await this.#call<ListTransactionsResult>('listTransactions', asked, options);
      return { items: answer.transactions, pagination: answer.pagination };
    });
  }

  /** Projects of the caller, newest first. */
  projects(query: ListProjectsQuery = {}, options?: CallOptions): List<Project> {
    return pagesOf(query.page, async (page) => {
      const answer = await this.#call<ListProjectsResult>('listProjects', { query: { ...query, page } }, options);
      return { items: answer.projects, pagination: answer.pagination };
    });
  }

  /** Keep the id of the project private: the id alone is enough to fund its escrow. */
  createProject(input: CreateProjectInput, options?: CallOptions): Promise<CreateProjectResult> {
    return this.#call('createProject', { body: input }, options);
  }

  /** Links a wallet that the person owns on the ledger. */
  connectWallet(input: ConnectWalletInput, options?: CallOptions): Promise<ConnectWalletResult> {
    return this.#call('connectWallet', { body: input }, options);
  }

  /**
   * Reserves the money, deploys the contract and funds it. After a 504 the same call continues the work. After a lost answer the
   * same call is refused, because the project already has its escrow.
   */
  initEscrow(input: InitEscrowInput, options?: CallOptions): Promise<InitEscrowResult> {
    return this.#call('initEscrow', { body: input }, options);
  }

  /** Pays the seller. Only the buyer can release the escrow. */
  releaseEscrow(input: ReleaseEscrowInput, options?: CallOptions): Promise<ReleaseEscrowResult> {
    return this.#call('releaseEscrow', { body: input }, options);
  }

  #call<Result>(name: RouteName, ask: Ask, options: CallOptions | undefined): Promise<Result> {
    const route = { ...SURFACE_B_ROUTES[name], wrapping: 'plain', idempotent: false } as const;
    return this.#transport.call<Result>(route, ask, options);
  }
}

/** Surface B counts pages; the cursor is the number of the next page. */
const pagesOf = <Item>(
  first: number | undefined,
  fetchPage: (page: number) => Promise<Paged & { items: Item[] }>,
): List<Item> =>
  listOf(async (cursor) => {
    const { items, pagination } = await fetchPage(cursor === undefined ? (first ?? 1) : Number(cursor));
    const hasMore = pagination.page < pagination.pages;
    return { items, hasMore, nextCursor: hasMore ? String(pagination.page + 1) : null };
  });
