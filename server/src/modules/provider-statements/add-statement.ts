// Stores a provider statement with its lines. The audit entry contains the hash of the file, and neither its name nor its lines, which
// may be personal.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { type FileLine, MARKETPLACE_COUNT, type ProviderStatement } from './statement.ts';

type AddInput = {
  readonly statement: Omit<ProviderStatement, 'id' | 'createdAt'>;
  readonly lines: readonly FileLine[];
};

type Added = { readonly statement: ProviderStatement; readonly isNew: boolean };

const refuse = (limitedBy: 'statements' | 'lines', limit: number): DomainError =>
  new DomainError('PROVIDER_STATEMENT_LIMIT', { details: { limitedBy, limit } });

const count = (work: UnitOfWork, lines: number): void => {
  const before = work.find('providerStatementCounts', MARKETPLACE_COUNT) ?? { statements: 0, lines: 0 };
  const after = { statements: before.statements + 1, lines: before.lines + lines };
  if (after.statements > LIMITS.providerStatements) throw refuse('statements', LIMITS.providerStatements);
  if (after.lines > LIMITS.providerStatementLinesAll) throw refuse('lines', LIMITS.providerStatementLinesAll);
  work.put('providerStatementCounts', { id: MARKETPLACE_COUNT, ...after, updatedAt: work.now });
};

export const addStatement = command<AddInput, Added>({
  name: 'add-provider-statement',
  needs: ({ statement: { requestHash } }) => ({
    rows: [
      { table: 'providerStatements', by: 'requestHash', value: requestHash },
      { table: 'providerStatementCounts', id: MARKETPLACE_COUNT },
    ],
  }),
  decide(input, work) {
    const known = work.findBy('providerStatements', { by: 'requestHash', value: input.statement.requestHash });
    if (known) return { statement: known, isNew: false };
    count(work, input.lines.length);
    const statement = { ...input.statement, id: work.newId('providerStatement'), createdAt: work.now };
    work.put('providerStatements', statement);
    for (const line of input.lines) {
      work.put('providerStatementLines', { ...line, id: `${statement.id}-${line.number}`, statementId: statement.id });
    }
    const { system, fromAt: from, toAt: to, sha256, sizeBytes, lines } = statement;
    work.audit({
      action: 'PROVIDER_STATEMENT_ADDED',
      resourceType: 'ProviderStatement',
      resourceId: statement.id,
      after: { system, from, to, sha256, sizeBytes, lines },
    });
    return { statement, isNew: true };
  },
});
