// The difference between two states of a record: one line per changed field, the unchanged fields on request.

import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { leavesOf, ShownValue } from '../../parts/shown-value.tsx';

type Props = {
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
};

type Row = { readonly field: string; readonly before: unknown; readonly after: unknown; readonly isSame: boolean };

const rowsOf = ({ before, after }: Props): readonly Row[] => {
  const was = new Map(leavesOf(before ?? {}));
  const is = new Map(leavesOf(after ?? {}));
  const fields = new Set([...is.keys(), ...was.keys()]);
  return [...fields].map((field) => {
    const old = was.get(field);
    const current = is.get(field);
    return { field, before: old, after: current, isSame: old === current };
  });
};

export const Difference = ({ before, after }: Props) => {
  const [isWhole, setWhole] = useState(false);
  const rows = rowsOf({ before, after });
  const same = rows.filter((row) => row.isSame).length;
  if (rows.length === 0) return <p className="soft">The entry has no fields, only an action.</p>;
  const shown = isWhole ? rows : rows.filter((row) => !row.isSame);
  return (
    <>
      {shown.length === 0 ? <p className="soft">No fields changed.</p> : null}
      <dl className="difference">
        {shown.map((row) => (
          <div key={row.field} className="difference-row">
            <dt>{row.field}</dt>
            <dd>
              <Values row={row} isNew={before === null} />
            </dd>
          </div>
        ))}
      </dl>
      {same > 0 && !isWhole ? (
        <div className="row">
          <Button tone="plain" onClick={() => setWhole(true)}>
            Show {same} unchanged
          </Button>
        </div>
      ) : null}
    </>
  );
};

const Values = ({ row, isNew }: { readonly row: Row; readonly isNew: boolean }) => {
  if (row.isSame || isNew) return <ShownValue value={row.after} />;
  return (
    <>
      {/* A missing value differs from an empty one. */}
      {row.before === undefined ? null : (
        <del>
          <span className="hidden-text">before: </span>
          <ShownValue value={row.before} />
        </del>
      )}
      {row.after === undefined ? null : (
        <ins>
          <span className="hidden-text">after: </span>
          <ShownValue value={row.after} />
        </ins>
      )}
    </>
  );
};
