// The caller's projects.

import { randomBytes } from 'node:crypto';
import type { Currency } from '@holdfast/contract/currencies.ts';
import * as api from '@holdfast/contract/surface-b/projects.ts';
import { numberedId } from '../../base/ulid.ts';
import type { Submit } from '../../commit/command.ts';
import { createProject } from './create-project.ts';
import { presentProject } from './present-project.ts';
import { projectStatus } from './project.ts';
import type { ProjectReads } from './queries.ts';
import { amountOf } from './surface/numbers.ts';
import { pageOf, pagination } from './surface/pages.ts';
import { carryOut, personal, type SurfaceBRoute } from './surface/route.ts';

type Parts = {
  readonly submit: Submit;
  readonly projects: Pick<ProjectReads, 'list'>;
  readonly baseCurrency: Currency;
};

const RANDOM_BYTES = 10;

/** Whoever knows it can have an escrow funded, so it is not counted up from other ids of the same moment. */
const newProjectId = (): string =>
  numberedId('project', { ms: Date.now(), number: BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`) });

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
    const project = await carryOut(submit, { command: createProject, input, context });
    return presentProject({ project, status: projectStatus(null) });
  }),
];
