// Routes of the caller's projects.

import { randomBytes } from 'node:crypto';
import type { Currency } from '@holdfast/contract/currencies.ts';
import * as api from '@holdfast/contract/surface-b/projects.ts';
import { numberedId } from '../../base/ulid.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import { createProject } from './create-project.ts';
import { projectStatus } from './project.ts';
import type { ProjectReads, ProjectView } from './queries.ts';
import { amountOf, showNumber } from './surface/numbers.ts';
import { pageOf, pagination } from './surface/pages.ts';
import { personal, type SurfaceBRoute } from './surface/route.ts';

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
    const asked = { id: newProjectId(), ownerId: userId, title, description, currency };
    const input = { ...asked, budget: amountOf(body.budget) };
    const project = await runCommand(submit, { command: createProject, input, context });
    return presentProject({ project, status: projectStatus(null) });
  }),
];
