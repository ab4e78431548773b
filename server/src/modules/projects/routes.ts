// Routes of the caller's projects, balances, transactions and wallets. Every read is limited to the token's user.

import { randomBytes } from 'node:crypto';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { getBalances, listTransactions } from '@holdfast/contract/surface-b/balances.ts';
import * as api from '@holdfast/contract/surface-b/projects.ts';
import { connectWallet } from '@holdfast/contract/surface-b/wallets.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { parseAddress } from '../../base/ledger-address.ts';
import { numberedId } from '../../base/ulid.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import { linkWallet } from '../wallets/link-wallet.ts';
import { createProject } from './create-project.ts';
import type { PeopleReads } from './people/queries.ts';
import { presentTransaction } from './present.ts';
import { projectStatus } from './project.ts';
import type { ProjectReads, ProjectView } from './queries.ts';
import { refusal } from './surface/envelope.ts';
import { amountOf, pageOf, pagination, personal, type SurfaceBRoute, showNumber } from './surface/route.ts';

type Parts = {
  readonly submit: Submit;
  readonly projects: Pick<ProjectReads, 'list'>;
  readonly baseCurrency: Currency;
};

const RANDOM_BYTES = 10;

/** A caller who knows the id can have an escrow funded, so the id is random and not sequential. */
const newProjectId = (): string =>
  numberedId('project', { ms: Date.now(), number: BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`) });

const presentProject = ({ project, status }: ProjectView) => ({
  id: project.id,
  title: project.title,
  description: project.description,
  budget: showNumber(project.budget),
  currency: project.currency,
  status,
  created_at: project.createdAt,
});

export const projectRoutes = ({ submit, projects, baseCurrency }: Parts): SurfaceBRoute[] => [
  personal(api.listProjects, async ({ userId, query, context: { marketplaceId } }) => {
    const page = pageOf(query);
    const { rows, total } = await projects.list({ marketplaceId, ownerId: userId, ...page });
    return { projects: rows.map(presentProject), pagination: pagination(page, total) };
  }),

  personal(api.createProject, async ({ userId, body, context }) => {
    const { title, description = '', currency = baseCurrency } = body;
    const budget = amountOf(body.budget);
    const input = { id: newProjectId(), ownerId: userId, title, description, currency, budget };
    const project = await runCommand(submit, { command: createProject, input, context });
    return presentProject({ project, status: projectStatus(null) });
  }),
];

type BalanceParts = { readonly people: Pick<PeopleReads, 'holdings' | 'changes'> };

export const balanceRoutes = ({ people }: BalanceParts): SurfaceBRoute[] => [
  personal(getBalances, async ({ userId, context: { marketplaceId } }) => ({
    balances: (await people.holdings({ marketplaceId, userId })).map(({ currency, available, held }) => ({
      currency,
      available: showNumber(available),
      held: showNumber(held),
    })),
  })),

  personal(listTransactions, async ({ userId, query, context: { marketplaceId } }) => {
    const page = pageOf(query);
    const { rows, total } = await people.changes({ marketplaceId, userId, currency: query.currency, ...page });
    return { transactions: rows.map(presentTransaction), pagination: pagination(page, total) };
  }),
];

export const walletRoutes = ({ submit }: { readonly submit: Submit }): SurfaceBRoute[] => [
  personal(connectWallet, async ({ userId, body, context }) => {
    const address = body.public_key;
    if (!parseAddress(address)) throw refusal('badPublicKey');
    const linked = runCommand(submit, { command: linkWallet, input: { userId, address }, context });
    const { wallet } = await linked.catch((error: unknown) => {
      throw isDomainError(error) && error.code === 'INVALID_STATE' ? refusal('publicKeyTaken') : error;
    });
    return { wallet_id: wallet.id, public_key: wallet.address, connected_at: wallet.createdAt };
  }),
];
