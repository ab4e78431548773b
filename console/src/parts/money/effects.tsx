// A table of the effects of a request on balances: now, the change, and afterwards.

import '../../styles/effects.css';
import { Amount } from './amount.tsx';
import { placesOf, type Units } from './amounts.ts';

/** One effect: a balance before and after, or only an amount. */
export type Effect = {
  readonly name: string;
  readonly currency: string;
  readonly before?: Units;
  readonly after?: Units;
  readonly change?: Units;
  /** By default as many decimals as the three amounts need. */
  readonly places?: number;
};

export const Effects = ({ effects }: { readonly effects: readonly Effect[] }) => {
  const hasBefore = effects.some((effect) => effect.before !== undefined);
  const rows = effects.map((effect) => ({ ...effect, places: effect.places ?? placesIn(effect) }));
  return (
    <table className="effects" data-exact={rows.some(({ places }) => places > 2) || undefined}>
      <caption className="hidden-text">Effects</caption>
      <thead>
        <tr>
          <th scope="col">Balance</th>
          {hasBefore ? <th scope="col">Now</th> : null}
          <th scope="col">Change</th>
          {hasBefore ? <th scope="col">After</th> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, currency, before, after, change, places }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {hasBefore ? (
              <td data-label="Now">
                <Amount value={before} places={places} />
              </td>
            ) : null}
            <td data-label="Change">
              <Amount value={change} places={places} signed {...(hasBefore ? {} : { currency })} />
            </td>
            {hasBefore ? (
              <td data-label="After">
                <Amount value={after} currency={currency} places={places} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** In whole cents, before and change might not add up to after. */
const placesIn = ({ before, change, after }: Effect): number =>
  placesOf(...[before, change, after].filter((amount) => amount !== undefined));
