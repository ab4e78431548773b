// Creates a project. No money moves: that begins with its escrow.

import { formatAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import type { Project } from './project.ts';

/** The caller makes the id. The id is a capability, so it must be random and not sequential. */
type CreateProjectInput = Pick<Project, 'id' | 'ownerId' | 'title' | 'description' | 'budget' | 'currency'>;

export const createProject = command<CreateProjectInput, Project>({
  name: 'create-project',
  needs: ({ id, ownerId }) => ({
    rows: [
      { table: 'users', id: ownerId },
      { table: 'projects', id },
    ],
  }),
  decide(input, work) {
    const { id: ownerId } = work.get('users', input.ownerId);
    const none = { orderId: null, claimedUntil: null, answeredAt: null };
    const project: Project = { ...input, ...none, createdAt: work.now, updatedAt: work.now };
    work.put('projects', project);
    work.audit({
      action: 'PROJECT_CREATED',
      resourceType: 'Project',
      resourceId: project.id,
      userId: ownerId,
      after: { ownerId, budget: formatAmount(project.budget), currency: project.currency },
    });
    return project;
  },
});
