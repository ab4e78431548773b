// Projects: the work that a buyer requests, with its budget.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { PROJECT_STATUSES } from '../states.ts';
import { surfaceBEndpoint } from './endpoint.ts';
import { AskedMoney, CurrencyCode, Id, PageQuery, Pagination, ShownMoney, Strict, Timestamp } from './fields.ts';

const Project = Type.Object({
  id: Id('project', 'Project id. Keep it private: the id alone is enough to fund the escrow of the project.'),
  title: Type.String({ examples: ['Logo'] }),
  description: Type.String({ description: 'Empty when none was given.', examples: ['A logo in two drafts'] }),
  budget: ShownMoney('Maximum amount of the escrow.'),
  currency: CurrencyCode,
  status: Type.Enum(PROJECT_STATUSES, {
    description: 'In progress while its escrow is funded; completed when it was released, cancelled when refunded.',
  }),
  created_at: Timestamp('When it was created.'),
});

const common = { path: '/projects', access: 'bearer', tag: 'Projects', refusals: [] } as const;

export const listProjects = surfaceBEndpoint({
  ...common,
  method: 'GET',
  summary: 'List projects',
  description: 'Projects of the caller, newest first.',
  query: PageQuery,
  data: Type.Object({ projects: Type.Array(Project), pagination: Pagination }),
  message: 'Projects retrieved successfully',
});

export const createProject = surfaceBEndpoint({
  ...common,
  method: 'POST',
  summary: 'Create project',
  description: 'Creates a project of the caller. Its budget is the maximum amount of its escrow.',
  body: Strict({
    title: Type.String({ minLength: 1, maxLength: LIMITS.titleLength, examples: ['Logo'] }),
    description: Type.Optional(
      Type.String({ maxLength: LIMITS.descriptionLength, examples: ['A logo in two drafts'] }),
    ),
    budget: AskedMoney('Maximum amount of the escrow.'),
    currency: Type.Optional(CurrencyCode),
  }),
  data: Project,
  message: 'Project created successfully',
});
