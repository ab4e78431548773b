// Reads a Dockerfile and a .dockerignore: the stages with their steps, and which files of the folder a build may see. Knows what our
// file uses, and refuses what it does not know. Pure.

export type Step = {
  readonly word: string;
  /** Options before the arguments, without the dashes. */
  readonly flags: Readonly<Record<string, string>>;
  /** Everything after the options. */
  readonly rest: string;
};

export type Stage = { readonly base: string; readonly name: string | null; readonly steps: readonly Step[] };

const WORDS = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'STOPSIGNAL', 'CMD'];

const stepOf = (line: string): Step => {
  const [, word = '', given = ''] = /^(\S+)\s+([\s\S]+)$/.exec(line) ?? [];
  if (!WORDS.includes(word)) throw new Error(`The check of the image does not know this instruction: ${line}`);
  const [options = ''] = /^(--\S+\s+)*/.exec(given) ?? [];
  const flags = Object.fromEntries(
    [...options.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
  );
  return { word, flags, rest: given.slice(options.length).trim() };
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const stagesOf = (text: string): Stage[] => {
  const stages: { base: string; name: string | null; steps: Step[] }[] = [];
  for (const step of linesOf(text).map(stepOf)) {
    const [, base = '', name = null] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(step.rest) ?? [];
    if (step.word === 'FROM') stages.push({ base, name, steps: [] });
    else if (stages.length === 0) throw new Error('The first instruction has to be FROM.');
    else stages.at(-1)!.steps.push(step);
  }
  return stages;
};

/** The arguments of CMD in the form that needs no shell. */
export const wordsOf = (rest: string): string[] => {
  const words: unknown = JSON.parse(rest.slice(rest.indexOf('[')));
  if (!Array.isArray(words)) throw new Error(`This is not a list of words: ${rest}`);
  return words.map(String);
};

export const pairsOf = (rest: string): Record<string, string> =>
  Object.fromEntries([...rest.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));

const expressionOf = (pattern: string): RegExp => {
  const parts = pattern
    .split('/')
    .map((part) =>
      part === '**' ? '(?:[^/]+/)*' : `${part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}/`,
    );
  return new RegExp(`^${parts.join('')}`);
};

/** Whether a build sees the file. The last line that fits decides, as Docker does it. */
export const readIgnore = (text: string): ((file: string) => boolean) => {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isSeen: line.startsWith('!'), fits: expressionOf(line.replace(/^!/, '')) }));
  return (file) => rules.findLast(({ fits }) => fits.test(`${file}/`))?.isSeen ?? true;
};
