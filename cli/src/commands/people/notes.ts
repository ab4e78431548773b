// Notes: what people write down about an order, a dispute, a user, a break, a withdrawal or a top-up.

import type { Note } from '@holdfast/sdk';
import { NOTE_RESOURCES } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, type KeyOption, keyOption, pageOptions } from '../../define.ts';
import { wrongUsage } from '../../failures.ts';
import { action, type PageOptions, pageQuery, showPage } from '../../run.ts';
import { clockOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

type Resource = Note['resourceType'];

const COLUMNS: readonly Column<Note>[] = [
  { title: 'written', of: ({ createdAt }) => clockOf(createdAt) },
  { title: 'author', of: ({ author }) => author.name },
  { title: 'note', of: ({ text }) => text, flexible: true },
  { title: 'about', of: ({ resourceId }) => resourceId, minor: true },
  { title: 'id', of: ({ id }) => id, minor: true },
];

const BY_PREFIX: Readonly<Record<string, Resource>> = {
  ord: 'order',
  dsp: 'dispute',
  usr: 'user',
  wdr: 'withdrawal',
  top: 'topup',
};

type Options = { readonly type?: Resource };

/** An id says what it is of; a break is named by its kind and its subject. */
const resourceOf = (resourceId: string, { type }: Options): { resourceType: Resource; resourceId: string } => {
  const resourceType = type ?? BY_PREFIX[resourceId.split('_')[0]!] ?? (resourceId.includes(':') ? 'break' : undefined);
  if (resourceType === undefined) throw wrongUsage('The id does not show what it is of. Add --type.');
  return { resourceType, resourceId };
};

const typeOption = () =>
  choice('--type <type>', { what: 'kind of the record; the id shows it where it can', of: NOTE_RESOURCES });

export const addNoteCommands = (program: Command): void => {
  const notes = define(program, {
    name: 'notes',
    what: 'notes about orders, disputes, users, breaks, withdrawals and top-ups',
    examples: ['holdfast notes list ord_01J…', 'holdfast notes add ord_01J… "The buyer called."'],
  });

  keyOption(
    define(notes, {
      name: 'add <recordId> <text>',
      ids: true,
      what: 'add a note to a record; it cannot be changed later',
      examples: [
        'holdfast notes add ord_01J… "The buyer called: the parcel has arrived."',
        'holdfast notes add deposit:1234567 "The sender was told."',
      ],
    }),
  )
    .addOption(typeOption())
    .action(
      action<Options & KeyOption>(async (run, [recordId, text]) => {
        const { idempotencyKey } = run.options;
        const input = { ...resourceOf(recordId!, run.options), text: text! };
        const note = await run.client.notes.create(input, { idempotencyKey });
        if (run.out.isJson) run.out.json(note);
        else {
          run.out.facts([
            ['id', note.id],
            ['about', `${note.resourceType} ${note.resourceId}`],
            ['author', `${note.author.name} (${note.author.id})`],
            ['written', clockOf(note.createdAt)],
            ['note', note.text],
          ]);
        }
      }),
    );

  pageOptions(
    define(notes, {
      name: 'list [recordId]',
      ids: true,
      what: 'notes about one record, or all, newest first',
      examples: ['holdfast notes list ord_01J…', 'holdfast notes list'],
    }),
  )
    .addOption(typeOption())
    .action(
      action<Options & PageOptions>(async (run, [recordId]) => {
        const of = recordId === undefined ? {} : resourceOf(recordId, run.options);
        const list = run.client.notes.list({ ...pageQuery(run.options), ...of });
        await showPage(run, { list, columns: COLUMNS, none: 'No notes.' });
      }),
    );
};
