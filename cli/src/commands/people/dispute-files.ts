// Evidence and messages of disputes: submit, list and download files; send and list messages.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DisputeMessage, Evidence } from '@holdfast/sdk';
import { DISPUTE_PARTIES } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, type KeyOption, keyOption, pageOptions } from '../../define.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../../run.ts';
import { clockOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

type Party = Evidence['submittedBy'];

const FILES: readonly Column<Evidence>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'file', of: ({ fileName }) => fileName, flexible: true },
  { title: 'of', of: ({ submittedBy }) => submittedBy },
  { title: 'bytes', align: 'right', of: ({ sizeBytes }) => String(sizeBytes) },
  { title: 'sha-256', of: ({ sha256 }) => sha256.slice(0, 12), minor: true },
  { title: 'submitted', of: ({ createdAt }) => clockOf(createdAt), minor: true },
];

const MESSAGES: readonly Column<DisputeMessage>[] = [
  { title: 'sent', of: ({ createdAt }) => clockOf(createdAt) },
  { title: 'from', of: ({ from }) => from },
  { title: 'message', of: ({ text }) => text, flexible: true },
  { title: 'id', of: ({ id }) => id, minor: true },
];

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.heic': 'image/heic',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.mp4': 'video/mp4',
  '.mp3': 'audio/mpeg',
};

const typeOf = (file: string): string => TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';

const showFile = ({ out }: Pick<Run<unknown>, 'out'>, evidence: Evidence): void => {
  if (out.isJson) {
    out.json(evidence);
    return;
  }
  out.facts([
    ['id', evidence.id],
    ['file', evidence.fileName],
    ['type', evidence.contentType],
    ['bytes', String(evidence.sizeBytes)],
    ['sha-256', evidence.sha256],
    ['of', evidence.submittedBy],
    ['about', evidence.description],
    ['author', `${evidence.author.name} (${evidence.author.id})`],
    ['submitted', clockOf(evidence.createdAt)],
  ]);
};

type SubmitOptions = KeyOption & { readonly of: Party; readonly type?: string; readonly about?: string };

const addEvidence = (disputes: Command): void => {
  pageOptions(
    define(disputes, {
      name: 'evidence <disputeId>',
      ids: true,
      what: 'files that were submitted, newest first',
      examples: ['holdfast disputes evidence dsp_01J…'],
    }),
  ).action(
    action<PageOptions>(async (run, [id]) => {
      const list = run.client.disputes.evidence(id!, pageQuery(run.options));
      await showPage(run, { list, columns: FILES, none: 'No evidence.' });
    }),
  );

  keyOption(
    define(disputes, {
      name: 'submit <disputeId> <file>',
      ids: true,
      what: 'submit a file as evidence; it cannot be deleted later',
      examples: ['holdfast disputes submit dsp_01J… parcel.jpg --of BUYER --about "as it arrived"'],
    }),
  )
    .addOption(choice('--of <party>', { what: 'whose file it is', of: DISPUTE_PARTIES }).makeOptionMandatory())
    .option('--type <type>', 'media type; the ending of the file shows it where it can')
    .option('--about <text>', 'what the file shows')
    .action(
      action<SubmitOptions>(async (run, [id, file]) => {
        const { of: submittedBy, type = typeOf(file!), about: description, idempotencyKey } = run.options;
        const content = await readFile(file!);
        const input = { fileName: path.basename(file!), contentType: type, content, submittedBy, description };
        showFile(run, await run.client.disputes.submitEvidence(id!, input, { idempotencyKey }));
      }),
    );

  define(disputes, {
    name: 'download <disputeId> <evidenceId>',
    what: 'save the content of a file; an existing file is never overwritten',
    examples: ['holdfast disputes download dsp_01J… evd_01J… --to parcel.jpg'],
  })
    .option('--to <file>', 'where to save it; the id and the name of the file unless given')
    .action(
      action<{ readonly to?: string }>(async (run, [id, evidenceId]) => {
        const evidence = await run.client.disputes.getEvidence(id!, evidenceId!);
        const content = await run.client.disputes.downloadEvidence(id!, evidenceId!);
        const { to = `${evidence.id}-${path.basename(evidence.fileName)}` } = run.options;
        await writeFile(to, content, { flag: 'wx' });
        if (run.out.isJson) run.out.json({ ...evidence, savedTo: to });
        else run.out.line(`${to}: ${content.length} bytes, SHA-256 ${evidence.sha256}`);
      }),
    );
};

const addMessages = (disputes: Command): void => {
  pageOptions(
    define(disputes, {
      name: 'messages <disputeId>',
      ids: true,
      what: 'messages about the dispute, newest first',
      examples: ['holdfast disputes messages dsp_01J…'],
    }),
  ).action(
    action<PageOptions>(async (run, [id]) => {
      const list = run.client.disputes.messages(id!, pageQuery(run.options));
      await showPage(run, { list, columns: MESSAGES, none: 'No messages.' });
    }),
  );

  keyOption(
    define(disputes, {
      name: 'message <disputeId> <text>',
      ids: true,
      what: 'send a message about the dispute, until it is resolved',
      examples: ['holdfast disputes message dsp_01J… "I sent it on Monday." --from SELLER'],
    }),
  )
    .addOption(choice('--from <party>', { what: 'who says it', of: DISPUTE_PARTIES }).makeOptionMandatory())
    .action(
      action<KeyOption & { readonly from: Party }>(async (run, [id, text]) => {
        const { from, idempotencyKey } = run.options;
        const message = await run.client.disputes.sendMessage(id!, { from, text: text! }, { idempotencyKey });
        if (run.out.isJson) run.out.json(message);
        else {
          run.out.facts([
            ['id', message.id],
            ['from', message.from],
            ['sent', clockOf(message.createdAt)],
            ['message', message.text],
          ]);
        }
      }),
    );
};

export const addDisputeFileCommands = (disputes: Command): void => {
  addEvidence(disputes);
  addMessages(disputes);
};
