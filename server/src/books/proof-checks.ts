// The checks of a proof: whether what was read from the books adds up. Nothing here reads the database.

import type { Checkpoint } from './checkpoints.ts';
import { type Amount, formatExact, fromUnits, negated, plus, ZERO } from './money.ts';
import { addSums, type PlaceSum, parseSums, sumsByCurrency, UNKNOWN_CURRENCY } from './posting-sums.ts';

export type ProofCheck = { readonly name: string; readonly holds: boolean; readonly detail: string };

/** The detail of a check names this many differences, and counts the others. */
const NAMED_MAX = 5;

type Compared = { readonly name: string; readonly differences: readonly string[]; readonly whenEqual: string };

/** The check of maintained sums. Each difference is a sentence. */
export const checkOfSums = ({ name, differences, whenEqual }: Compared): ProofCheck => {
  const rest = differences.length > NAMED_MAX ? [`${differences.length - NAMED_MAX} more differ.`] : [];
  const detail = [...differences.slice(0, NAMED_MAX), ...rest].join(' ') || whenEqual;
  return { name, holds: differences.length === 0, detail };
};

type CurrencyProof = {
  readonly currency: string;
  readonly claims: Amount;
  readonly holdings: Amount;
  readonly adjustments: Amount;
  /** What users brought from another system, as far as it is the counterpart of their balances. */
  readonly openingBalances: Amount;
  readonly difference: Amount;
};

export type Proof = {
  readonly holds: boolean;
  readonly checkedAt: string;
  /** The checkpoint at which the proof began; null when every posting was added up. */
  readonly checkpoint: Pick<Checkpoint, 'number' | 'auditSeq' | 'madeAt'> | null;
  /** The last full proof that the service made by itself. */
  readonly lastFull: { readonly checkedAt: string; readonly holds: boolean } | null;
  readonly currencies: readonly CurrencyProof[];
  readonly checks: readonly ProofCheck[];
};

export type Found = Pick<Proof, 'checkedAt' | 'checkpoint' | 'lastFull'> & {
  /** Balances by place. */
  readonly sums: readonly PlaceSum[];
  /** Sums of postings by currency. */
  readonly postings: readonly { readonly currency: string; readonly units: bigint }[];
  readonly accounts: { readonly differing: bigint; readonly read: bigint };
  /** Reserved balances that differ from their reservations. */
  readonly reserved: string | undefined;
  /** Floats whose promised payouts differ from the open withdrawals. */
  readonly promised: string | undefined;
  readonly openBreaks: string | undefined;
  /** Checks of the checkpoints. */
  readonly further: readonly ProofCheck[];
};

const ADJUSTMENTS = 'operator_adjustments';
const OPENING_BALANCES = 'opening_balances';
/** Claims of the operator: the counterparts of what was booked by hand. */
const OF_OPERATOR: readonly (string | null)[] = [ADJUSTMENTS, OPENING_BALANCES];

const ofCurrency = (currency: string, sums: readonly PlaceSum[]): CurrencyProof => {
  const total = (matches: (sum: PlaceSum) => boolean): Amount =>
    fromUnits(
      sums.filter((sum) => sum.currency === currency && matches(sum)).reduce((all, { units }) => all + units, 0n),
    );
  const claims = total(({ side, place }) => side === 'claim' && !OF_OPERATOR.includes(place));
  const holdings = negated(total(({ side }) => side === 'holding'));
  const adjustments = negated(total(({ place }) => place === ADJUSTMENTS));
  const openingBalances = negated(total(({ place }) => place === OPENING_BALANCES));
  return {
    currency,
    claims,
    holdings,
    adjustments,
    openingBalances,
    difference: plus(claims, negated(plus(plus(holdings, adjustments), openingBalances))),
  };
};

const sumCheck = ({ postings }: Found): ProofCheck => {
  const unbalanced = postings.filter(({ units }) => units !== 0n);
  const sentences = unbalanced.map(({ currency, units }) => `${currency} sums to ${formatExact(fromUnits(units))}.`);
  return {
    name: 'postings-sum-to-zero',
    holds: unbalanced.length === 0,
    detail: unbalanced.length === 0 ? 'Every currency sums to zero.' : sentences.join(' '),
  };
};

const accountCheck = ({ accounts: { differing, read }, checkpoint }: Found): ProofCheck => {
  const which = checkpoint === null ? 'accounts' : 'accounts with postings since the checkpoint';
  return {
    name: 'accounts-equal-postings',
    holds: differing === 0n,
    detail: `${differing} of ${read} ${which} differ from their postings.`,
  };
};

const claimCheck = (currencies: readonly CurrencyProof[]): ProofCheck => {
  const off = currencies.filter((row) => row.difference !== ZERO);
  const sentences = off.map((row) => `${row.currency} differs by ${formatExact(row.difference)}.`);
  return {
    name: 'claims-equal-holdings-plus-adjustments',
    holds: off.length === 0,
    detail: off.length === 0 ? 'No difference.' : sentences.join(' '),
  };
};

export const judge = (found: Found): Proof => {
  const { reserved, promised, openBreaks, sums, checkedAt, checkpoint, lastFull } = found;
  const currencies = sumsByCurrency(sums)
    .filter(({ currency }) => currency !== UNKNOWN_CURRENCY)
    .map(({ currency }) => ofCurrency(currency, sums));
  const checks: ProofCheck[] = [
    sumCheck(found),
    accountCheck(found),
    claimCheck(currencies),
    {
      name: 'reserved-equals-reservations',
      holds: reserved === '0',
      detail: `${reserved} reserved balances differ from their reservations.`,
    },
    {
      name: 'float-promises-equal-open-withdrawals',
      holds: promised === '0',
      detail: `${promised} floats promise another amount than the open withdrawals need.`,
    },
    {
      name: 'no-open-breaks',
      holds: openBreaks === '0',
      detail: `Open breaks between the books and the outside systems: ${openBreaks}.`,
    },
    ...found.further,
  ];
  return { holds: checks.every(({ holds }) => holds), checkedAt, checkpoint, lastFull, currencies, checks };
};

/** Compares a checkpoint with the sums and the number of the postings up to its audit entry. */
export const compareCheckpoint = (
  last: Checkpoint | null,
  until: { readonly sums: readonly PlaceSum[]; readonly postings: bigint },
): ProofCheck => {
  const name = 'checkpoint-equals-postings';
  if (last === null) return { name, holds: true, detail: 'There is no checkpoint to compare.' };
  const differences = addSums(
    until.sums,
    parseSums(last.sums).map((sum) => ({ ...sum, units: -sum.units })),
  ).filter(({ units }) => units !== 0n);
  const sentences = differences.map(
    ({ currency, place, units }) =>
      `${currency} ${place} is ${formatExact(fromUnits(units))} more by the postings than in checkpoint ${last.number}.`,
  );
  if (until.postings !== last.postings) {
    sentences.push(`Checkpoint ${last.number} counted ${last.postings} postings; there are ${until.postings}.`);
  }
  const detail = `Checkpoint ${last.number} has the sums of its postings.`;
  return { name, holds: sentences.length === 0, detail: sentences.join(' ') || detail };
};
