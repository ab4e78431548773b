// A framed section of a page, and its content: names with values, and single figures.

import type { ReactNode } from 'react';
import { useId } from 'react';

type Props = {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  /** For content with its own padding, such as a table. */
  readonly flush?: boolean;
  readonly children: ReactNode;
};

export const Panel = ({ title, actions, flush = false, children }: Props) => {
  const titleId = useId();
  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className="panel-head">
        <h2 id={titleId}>{title}</h2>
        {actions ? <div className="row">{actions}</div> : null}
      </div>
      <div className="panel-body" data-flush={flush || undefined}>
        {children}
      </div>
    </section>
  );
};

/** Names and values. */
export const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {rows.map(([name, value]) => (
      <FactRow key={name} name={name} value={value} />
    ))}
  </dl>
);

const FactRow = ({ name, value }: { readonly name: string; readonly value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{value ?? <span className="soft">–</span>}</dd>
  </>
);

export const Figure = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <dl className="figure">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </dl>
);

type Row = readonly [string, ReactNode];

/** A row of facts that is left out without a value. */
export const optionalRow = (value: string | null, row: Row): readonly Row[] => (value === null ? [] : [row]);
