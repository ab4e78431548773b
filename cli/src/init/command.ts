// `holdfast init`: writes the settings and the compose file of a deployment, with fresh secrets. It asks nothing, prints no secret, and
// never replaces a secret that exists.

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { choice, define, wholeNumber } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { action, type Run } from '../run.ts';
import { composeFile } from './compose-file.ts';
import { envFile, type Providers } from './env-file.ts';

type Options = {
  readonly publicUrl?: string;
  readonly port: number;
  readonly image: string;
  readonly providers: Providers;
  readonly force?: boolean;
};

const PORT = 4000;

const portOf = (text: string): number => {
  const port = wholeNumber(text);
  if (port < 1 || port > 65_535) throw wrongUsage('A port is a number from 1 to 65535.');
  return port;
};

/** An https address of the server, without a path. */
const publicUrlOf = (text: string | undefined): string => {
  if (text === undefined) return '';
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search + url.hash + url.username === '') {
    return url.origin;
  }
  throw wrongUsage(`"${text}" is not an address of a server. Write it like https://pay.shop.example.`);
};

/** It becomes a line of the compose file. */
const imageOf = (text: string): string => {
  if (/^[\w./:@-]{1,200}$/.test(text)) return text;
  throw wrongUsage(`"${text}" is not the name of an image. Write it like registry.shop.example/holdfast:1.0.0.`);
};

/** Null when the file does not exist. */
const readIfThere = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw wrongUsage(`${file} cannot be read (${error.code}).`);
  });

/** Whole or not at all: a full disk must not cost the only copy of a secret. Only the owner can read it, from its first byte on. */
const replace = async (file: string, text: string): Promise<void> => {
  // A link to a file that is kept in another place stays a link.
  const target = await realpath(file).catch(() => file);
  const beside = `${target}.${randomUUID()}`;
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(beside, target);
  } finally {
    await rm(beside, { force: true });
  }
};

const write = async (folder: string, options: Options) => {
  const files = { env: join(folder, '.env'), compose: join(folder, 'compose.yaml') };
  const [env, compose] = await Promise.all([readIfThere(files.env), readIfThere(files.compose)]);
  const existing = [env === null ? [] : [files.env], compose === null ? [] : [files.compose]].flat();
  if (existing.length > 0 && !options.force) {
    throw wrongUsage(
      `${existing.join(' and ')} ${existing.length === 1 ? 'exists' : 'exist'}. --force writes the compose file again, and adds to .env what it lacks; every value in it stays.`,
    );
  }
  const deployment = { publicUrl: publicUrlOf(options.publicUrl), providers: options.providers };
  const { text, unset } = envFile(deployment, env ?? '');
  const services = composeFile({ image: imageOf(options.image), port: options.port });
  await mkdir(folder, { recursive: true });
  await replace(files.env, text);
  await writeFile(files.compose, services);
  return { folder, files: [files.env, files.compose], keptSecrets: env !== null, unset };
};

type Written = Awaited<ReturnType<typeof write>>;

const stepsOf = ({ folder, unset }: Written, { image, port }: Options): string[] => [
  `Keep a copy of WALLET_KEK from ${join(folder, '.env')} in a safe place, apart from the backups.`,
  ...(unset.length > 0
    ? [`Fill in: ${unset.join(', ')}. A running server describes them: http://127.0.0.1:${port}/docs/settings`]
    : []),
  `Build the image in a checkout of Holdfast, if no registry has it: docker build -f deploy/Dockerfile -t ${image} .`,
  `Start: cd ${folder} && docker compose up --detach`,
  'Check the settings: docker compose exec server holdfast doctor',
  `Invite the first administrator: docker compose exec server sh -c 'HOLDFAST_KEY=$MASTER_KEY holdfast operators first-admin you@shop.example --name "Your Name"'`,
  `Put a proxy with TLS in front of http://127.0.0.1:${port}.`,
];

const show = ({ out, options }: Run<Options>, written: Written): void => {
  const steps = stepsOf(written, options);
  if (out.isJson) {
    out.json({ ...written, steps });
    return;
  }
  for (const file of written.files) out.line(`Wrote ${file}`);
  if (written.keptSecrets) out.line('The values that .env had are unchanged.');
  out.line('\nNext steps:');
  out.lines(steps.map((step, place) => `${String(place + 1).padStart(2)}. ${step}`));
};

export const addInitCommand = (program: Command): void => {
  const image = `holdfast:${program.version()}`;
  define(program, {
    name: 'init [folder]',
    what: 'write .env with fresh secrets and compose.yaml for a deployment of your own',
    examples: ['holdfast init', 'holdfast init pay --public-url https://pay.shop.example --port 8080'],
  })
    .option('--public-url <url>', 'https address of the server for browsers and for the payment provider')
    .option('--port <port>', 'port on this machine, for the proxy in front', portOf, PORT)
    .option('--image <image>', 'image of the server', image)
    .addOption(
      choice('--providers <kind>', {
        what: 'real: with the names of the settings to fill in; sandbox: simulators and play money',
        of: ['real', 'sandbox'],
      }).default('real'),
    )
    .option('--force', 'write again; every value of an existing .env stays')
    .action(action<Options>(async (run, [folder = '.']) => show(run, await write(resolve(folder), run.options))));
};
