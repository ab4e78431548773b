// Stores an address and a key for later commands, in the user's configuration folder. The key is read from standard input, so that
// it appears in no shell history and no process list.

import type { Me } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { dataFolder, devKeyFile, forget, loginFile, readProfile, writePrivate } from '../profiles.ts';
import { action, clientOf } from '../run.ts';
import type { GlobalOptions } from '../settings.ts';

const readAll = async (): Promise<string> => {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return text.trim();
};

/** Reads without showing what is typed. */
const askHidden = (question: string): Promise<string> => {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  return new Promise((resolve) => {
    let typed = '';
    const onData = (chunk: string): void => {
      for (const letter of chunk) {
        if (letter === '\u0003') process.exit(130);
        if (letter === '\r' || letter === '\n' || letter === '\u0004') {
          stdin.off('data', onData).setRawMode(false).pause();
          stderr.write('\n');
          resolve(typed.trim());
          return;
        }
        typed = letter === '\u007f' ? typed.slice(0, -1) : typed + letter;
      }
    };
    stdin.on('data', onData);
  });
};

const describe = ({ apiKeyName, type, scopes, marketplaceId }: Me): string =>
  `${type === 'master' ? 'the master key' : `the key "${apiKeyName}"`} (${scopes.join(' ')}) in ${marketplaceId}`;

export const addLoginCommands = (program: Command): void => {
  define(program, {
    name: 'login',
    what: 'store an address and a key for later commands; the key is read from standard input',
    examples: [
      'holdfast login --url https://pay.shop.example',
      'holdfast login --url https://pay.shop.example < key.txt',
    ],
  }).action(
    action<GlobalOptions>(async ({ out, settings, options }) => {
      const given = options.key ?? (process.stdin.isTTY ? await askHidden('Key: ') : await readAll());
      if (given === '') throw wrongUsage('Standard input contains no key. Type it at the prompt, or pipe it in.');
      const wanted = { ...settings, key: given };
      const me = await clientOf(wanted).keys.me();
      const file = loginFile(process.env);
      const marketplaceId = options.marketplace ?? (me.type === 'master' ? settings.marketplaceId : null);
      await writePrivate(file, { url: settings.url, key: given, ...(marketplaceId ? { marketplaceId } : {}) });
      if (out.isJson) return out.json({ url: settings.url, profile: file, me });
      out.line(`Saved ${settings.url} with ${describe(me)}.`);
      out.note(out.notePaint.dim(`Stored in ${file}`));
      const nearer = devKeyFile(dataFolder(process.env));
      if ((await readProfile(nearer)) !== null) {
        out.note(`While ${nearer} exists, commands use that server unless --url or HOLDFAST_URL is set to this one.`);
      }
    }),
  );

  define(program, {
    name: 'logout',
    what: 'delete the stored address and key',
    examples: ['holdfast logout'],
  }).action(
    action(async ({ out }) => {
      const file = loginFile(process.env);
      await forget(file);
      if (out.isJson) return out.json({ forgotten: file });
      out.line('Forgotten.');
    }),
  );

  define(program, {
    name: 'whoami',
    what: 'show which key is used, and its scopes',
    examples: ['holdfast whoami'],
  }).action(
    action(async ({ out, client, settings }) => {
      const me = await client.keys.me();
      if (out.isJson) return out.json({ ...me, url: settings.url, from: settings.from });
      out.facts([
        ['url', `${settings.url} (${settings.from.url})`],
        ['key', `${describe(me)}`],
        ['from', settings.from.key],
      ]);
    }),
  );
};
