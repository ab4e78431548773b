// The fee of a policy and who may do what, in words.

import { isolateBidi } from '../../parts/bidi.ts';
import { Facts } from '../../parts/panel.tsx';
import { statusWords } from '../../parts/status.tsx';
import type { Rules } from './rule-rows.ts';

type Fee = NonNullable<Rules['platformFee']>;
type FeeTerms = Pick<Fee, 'percent' | 'fixed' | 'min' | 'max'>;

const feeWords = ({ percent = '0', fixed, min, max }: FeeTerms): string =>
  [
    `${percent} %${fixed === undefined ? '' : ` plus ${fixed}`}`,
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
  ].join(', ');

const ACTIONS = {
  release: 'May release',
  refund: 'May refund',
  dispute: 'May open a dispute',
  complete_milestone: 'May complete a milestone',
  cancel: 'May cancel',
} as const;

type Row = readonly [string, string];

const allowRows = ({ allow = {} }: Rules): Row[] =>
  (Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]).flatMap((action): Row[] => {
    const roles = allow[action];
    return roles ? [[ACTIONS[action], roles.map(statusWords).join(', ')]] : [];
  });

const feeRows = ({ platformFee }: Rules): Row[] => {
  if (!platformFee) return [['Platform fee', 'As for orders without a policy']];
  const { categories = {}, ...terms } = platformFee;
  return [
    ['Platform fee', feeWords(terms)],
    ...Object.entries(categories).map(([name, own]): Row => [`Fee for ${isolateBidi(name)}`, feeWords(own)]),
  ];
};

export const RulesFacts = ({ rules }: { readonly rules: Rules }) => (
  <Facts rows={[...feeRows(rules), ...allowRows(rules)]} />
);
