// The commands that record an archive: sealed when its files are verified, removed when its rows have left the hot tables, and the way
// back. Archives follow each other without a gap, and only the newest one can be restored.

import { command, type UnitOfWork } from '../../commit/command.ts';
import { type Archive, nextState } from './archive.ts';

type NewArchive = Omit<Archive, 'state' | 'createdAt' | 'updatedAt'> & {
  /** The archive before this one; null: there is none. */
  readonly previousId: string | null;
};

/** A mistake of the archiver, or two of them at work: the operator runs the command again. */
class ArchiveRefused extends Error {}

const changed = (work: UnitOfWork, { archive, before }: { archive: Archive; before?: Archive }): Archive => {
  work.put('archives', archive);
  const { id, state, manifestHash } = archive;
  work.audit({
    action: ACTIONS[state],
    resourceType: 'Archive',
    resourceId: id,
    ...(before ? { before: { state: before.state } } : {}),
    after: { state, manifestHash, firstSeq: String(archive.firstSeq), lastSeq: String(archive.lastSeq) },
  });
  return archive;
};

const ACTIONS = {
  SEALED: 'ARCHIVE_SEALED',
  REMOVED: 'ARCHIVE_REMOVED',
  RESTORING: 'ARCHIVE_RESTORING',
  RESTORED: 'ARCHIVE_RESTORED',
} as const;

/** The rows before the archive must have left the hot tables, and its range must continue theirs. */
const requireContinuation = (archive: NewArchive, previous: Archive | undefined): void => {
  const isContinued =
    archive.previousId === null
      ? archive.firstSeq === 1n && archive.hashBefore === ''
      : previous?.state === 'REMOVED' &&
        previous.lastSeq + 1n === archive.firstSeq &&
        previous.hashAfter === archive.hashBefore &&
        previous.manifestHash === archive.previousManifest;
  if (!isContinued) throw new ArchiveRefused(`The archive ${archive.id} does not continue the archive before it.`);
};

/** From now on the rows of the archive may be removed. */
export const sealArchive = command<NewArchive, Archive>({
  name: 'seal-archive',
  needs: ({ id, previousId }) => ({
    rows: [{ table: 'archives', id }, ...(previousId === null ? [] : [{ table: 'archives' as const, id: previousId }])],
  }),
  decide({ previousId, ...archive }, work) {
    const known = work.find('archives', archive.id);
    if (archive.endsAt >= work.now) throw new ArchiveRefused(`The period ${archive.id} is not over.`);
    requireContinuation(
      { previousId, ...archive },
      previousId === null ? undefined : work.find('archives', previousId),
    );
    const state = known ? nextState(known, 'seal') : 'SEALED';
    const sealed: Archive = { ...archive, state, createdAt: known?.createdAt ?? work.now, updatedAt: work.now };
    return changed(work, { archive: sealed, ...(known ? { before: known } : {}) });
  },
});

const change = (name: string, on: 'finish_removal' | 'restore' | 'finish_restoration') =>
  command<{ readonly id: string; readonly manifestHash: string }, Archive>({
    name,
    needs: ({ id }) => ({ rows: [{ table: 'archives', id }] }),
    decide({ id, manifestHash }, work) {
      const before = work.get('archives', id);
      if (before.manifestHash !== manifestHash)
        throw new ArchiveRefused(`The files of ${id} belong to another archive.`);
      return changed(work, { archive: { ...before, state: nextState(before, on), updatedAt: work.now }, before });
    },
  });

export const finishRemoval = change('finish-archive-removal', 'finish_removal');
export const beginRestoration = change('restore-archive', 'restore');
export const finishRestoration = change('finish-archive-restoration', 'finish_restoration');
