// Carries out the steps of a Dockerfile without Docker: each stage is a folder, and the paths of the image are paths below it. Steps that
// would change the machine are left out and named. Base images are not fetched: the programs of this machine take their place.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pairsOf, readIgnore, type Stage, type Step, stagesOf, wordsOf } from './dockerfile.ts';

type Carried = { readonly step: string; readonly skipped: string | null };

export type Image = {
  /** The folder that stands for / of the last stage. */
  readonly root: string;
  readonly steps: readonly Carried[];
  /** Runs the command of the image. `settings` are those of `docker run -e`. */
  start(settings: Readonly<Record<string, string>>): ChildProcess;
  /** Runs the health check once; true when it succeeds. */
  isHealthy(settings: Readonly<Record<string, string>>): boolean;
};

type Build = {
  readonly context: string;
  readonly isSeen: (file: string) => boolean;
  readonly place: string;
  readonly roots: Map<string, string>;
  readonly log: (line: string) => void;
};

/** What a stage has set so far. */
type Made = { readonly root: string; folder: string; env: Record<string, string>; steps: Carried[] };

/** The account of the image. It is not made here: an account without rights that the machine has takes its place. */
const ACCOUNT = '10001';
const STAND_IN = 'daemon';
const isRoot = (): boolean => process.getuid?.() === 0;
const idOf = (option: '-u' | '-g'): number =>
  Number(spawnSync('id', [option, ...(isRoot() ? [STAND_IN] : [])], { encoding: 'utf8' }).stdout);
const CHANGES_MACHINE = /\b(useradd|groupadd|apt-get|apk)\b/;
/** The paths of the image that the commands name. */
const IMAGE_PATHS = /(?<![\w./-])\/(app|var\/lib\/holdfast)(?=[/:\s'"]|$)/g;

const inside = (text: string, root: string): string => text.replaceAll(IMAGE_PATHS, `${root}/$1`);

const below = (made: Made, given: string): string =>
  given.startsWith('/') ? path.join(made.root, given) : path.join(made.root, made.folder, given);

/** The path of the machine comes last: its npm stands for the npm of the base image. */
const environmentOf = ({ env, root }: Made): Record<string, string> => {
  const ours = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inside(value, root)]));
  const system = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const npm = { npm_config_cache: npmCache(), npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' };
  return { HOME: root, ...npm, ...ours, PATH: [ours.PATH, ...system].filter(Boolean).join(':') };
};

const npmCache = (): string => spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim();

const copy = (build: Build, { made, step }: { made: Made; step: Step }): void => {
  const { from } = step.flags;
  const base = from === undefined ? build.context : build.roots.get(from);
  if (base === undefined) throw new Error(`There is no stage ${from}.`);
  const sources = step.rest.split(/\s+/);
  const target = sources.pop()!;
  for (const source of sources) {
    const origin = path.join(base, source);
    if (!existsSync(origin)) throw new Error(`COPY ${source}: there is no such file.`);
    const isFolder = statSync(origin).isDirectory();
    const intoFolder = target.endsWith('/') || sources.length > 1;
    const to = isFolder || !intoFolder ? below(made, target) : path.join(below(made, target), path.basename(source));
    mkdirSync(isFolder ? to : path.dirname(to), { recursive: true });
    const isSeen = (file: string): boolean => from !== undefined || build.isSeen(path.relative(build.context, file));
    if (!isSeen(origin)) throw new Error(`COPY ${source}: .dockerignore hides it.`);
    cpSync(origin, to, { recursive: true, verbatimSymlinks: true, filter: (file) => file === origin || isSeen(file) });
  }
};

const run = (build: Build, { made, step }: { made: Made; step: Step }): string | null => {
  if (CHANGES_MACHINE.test(step.rest)) return 'it would change the accounts or packages of this machine';
  const own = step.rest
    .replaceAll(`uid: ${ACCOUNT}`, `uid: ${idOf('-u')}`)
    .replaceAll(`gid: ${ACCOUNT}`, `gid: ${idOf('-g')}`);
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', inside(own, made.root)], {
    cwd: below(made, '.'),
    env: environmentOf(made),
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`RUN ${step.rest} ended with ${status}:\n${stdout}${stderr}`);
  build.log(stdout.trim().split('\n').at(-1) ?? '');
  return null;
};

const carryOut = (build: Build, { made, step }: { made: Made; step: Step }): string | null => {
  switch (step.word) {
    case 'WORKDIR':
      made.folder = step.rest;
      mkdirSync(below(made, '.'), { recursive: true });
      return null;
    case 'COPY':
      copy(build, { made, step });
      return null;
    case 'RUN':
      return run(build, { made, step });
    case 'ENV':
      Object.assign(made.env, pairsOf(step.rest));
      return null;
    case 'VOLUME': {
      const folder = below(made, step.rest);
      mkdirSync(folder, { recursive: true, mode: 0o711 });
      if (isRoot()) chownSync(folder, idOf('-u'), idOf('-g'));
      return null;
    }
    case 'USER':
      return isRoot()
        ? `the account was not made; ${STAND_IN} takes its place`
        : 'only root can start a program as another user';
    case 'EXPOSE':
      return 'it publishes nothing by itself';
    default:
      // CMD, HEALTHCHECK and STOPSIGNAL are used afterwards.
      return null;
  }
};

const buildStage = (build: Build, stage: Stage, number: number): Made => {
  const root = path.join(build.place, stage.name ?? `stage-${number}`);
  const base = build.roots.get(stage.base);
  mkdirSync(root, { recursive: true });
  if (base !== undefined) cpSync(base, root, { recursive: true, verbatimSymlinks: true });
  chmodSync(root, 0o711);
  const skipped = base === undefined ? 'base images are not fetched; the programs of this machine are used' : null;
  const made: Made = { root, folder: base === undefined ? '/' : '/app', env: {}, steps: [] };
  made.steps.push({ step: `FROM ${stage.base}`, skipped });
  for (const step of stage.steps) {
    const shown = `${step.word} ${step.rest}`;
    build.log(shown);
    made.steps.push({ step: shown, skipped: carryOut(build, { made, step }) });
  }
  if (stage.name !== null) build.roots.set(stage.name, root);
  return made;
};

const last = (stage: Stage, word: string): Step => {
  const found = stage.steps.findLast((step) => step.word === word);
  if (found === undefined) throw new Error(`The last stage has no ${word}.`);
  return found;
};

type Options = {
  readonly dockerfile: string;
  readonly ignore: string;
  readonly context: string;
  /** An empty folder. */
  readonly place: string;
  readonly log?: (line: string) => void;
};

export const runDockerfile = ({ dockerfile, ignore, context, place, log = () => {} }: Options): Image => {
  const build: Build = { context, isSeen: readIgnore(ignore), place, roots: new Map(), log };
  const stages = stagesOf(dockerfile);
  const made = stages.map((stage, number) => buildStage(build, stage, number));
  const image = made.at(-1)!;
  const stage = stages.at(-1)!;
  const account = isRoot() ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const cwd = below(image, '.');
  const commandOf = (word: string): [string, string[]] => {
    const [program, ...args] = wordsOf(last(stage, word).rest);
    return [program!, args];
  };
  const envWith = (settings: Readonly<Record<string, string>>) => ({ ...environmentOf(image), ...settings });
  return {
    root: image.root,
    steps: made.flatMap(({ steps }) => steps),
    start(settings) {
      return spawn(...commandOf('CMD'), { cwd, env: envWith(settings), stdio: ['ignore', 'pipe', 'pipe'], ...account });
    },
    isHealthy(settings) {
      const [program, args] = commandOf('HEALTHCHECK');
      return spawnSync(program, args, { cwd, env: envWith(settings), ...account }).status === 0;
    },
  };
};

/** The files of the image, for a look at what is in it. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
