// A project as Surface B shows it.

import type { ProjectView } from './queries.ts';
import { showNumber } from './surface/numbers.ts';

export const presentProject = ({ project, status }: ProjectView) => ({
  id: project.id,
  title: project.title,
  description: project.description,
  budget: showNumber(project.budget),
  currency: project.currency,
  status,
  created_at: project.createdAt,
});
