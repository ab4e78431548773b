// Two independent linters judge an OpenAPI document, each with its recommended rules. A finding of any severity counts. A finding that is
// accepted has its reason here.

import { loadPackage } from './installed.ts';

type Redocly = {
  createConfig(config: { extends: string[] }): Promise<unknown>;
  lintFromString(ask: {
    source: string;
    absoluteRef: string;
    config: unknown;
  }): Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>;
};
type Spectral = {
  readonly Spectral: new () => {
    setRuleset(rules: { extends: [unknown, string][] }): void;
    run(document: object): Promise<{ code: string | number; message: string; path: (string | number)[] }[]>;
  };
};
type Rulesets = { readonly oas: unknown };

export const LINTERS = ['redocly', 'spectral'] as const;
type Linter = (typeof LINTERS)[number];

export type Accepted = { readonly linter: Linter; readonly rule: string; readonly at: string; readonly reason: string };

/** What remains of the findings, by rule and place, and the accepted findings that were not seen. */
export type Verdict = { readonly findings: string[]; readonly unseen: string[] };

type Finding = { readonly rule: string; readonly at: string; readonly message: string };

/** The package is CommonJS: its names are on `default`. */
const namesOf = <Part>(loaded: Part & { default?: Part }): Part => loaded.default ?? loaded;

const lintWithRedocly = async (document: object): Promise<Finding[]> => {
  const { createConfig, lintFromString } = namesOf(await loadPackage<Redocly>('@redocly/openapi-core'));
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return found.map(({ ruleId, message, location }) => ({ rule: ruleId, message, at: location[0]?.pointer ?? '#' }));
};

const lintWithSpectral = async (document: object): Promise<Finding[]> => {
  const { Spectral } = namesOf(await loadPackage<Spectral>('@stoplight/spectral-core'));
  const { oas } = namesOf(await loadPackage<Rulesets>('@stoplight/spectral-rulesets'));
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  const found = await spectral.run(document);
  return found.map(({ code, message, path }) => ({ rule: String(code), message, at: `#/${path.join('/')}` }));
};

const RUN: Readonly<Record<Linter, (document: object) => Promise<Finding[]>>> = {
  redocly: lintWithRedocly,
  spectral: lintWithSpectral,
};

export const lintDocument = async (
  document: object,
  { linter, accepted }: { linter: Linter; accepted: readonly Accepted[] },
): Promise<Verdict> => {
  const found = await RUN[linter](document);
  const own = accepted.filter((each) => each.linter === linter);
  const fits = ({ rule, at }: Finding, each: Accepted): boolean => rule === each.rule && at === each.at;
  return {
    findings: found
      .filter((finding) => !own.some((each) => fits(finding, each)))
      .map(({ rule, at, message }) => `${rule} at ${at}: ${message}`),
    unseen: own
      .filter((each) => !found.some((finding) => fits(finding, each)))
      .map(({ rule, at }) => `${rule} at ${at}`),
  };
};
