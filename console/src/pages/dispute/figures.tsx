// A list of names and amounts with aligned decimals.

import type { ReactNode } from 'react';

export const Figures = ({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="dispute-figures">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
