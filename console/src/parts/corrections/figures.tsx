// Figures before and after a correction, and the facts that speak against one. Both are fields and values of the server.

import '../../styles/corrections.css';
import { Facts } from '../panel.tsx';
import { fieldWords } from '../status.tsx';

type Figures = Readonly<Record<string, unknown>>;

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

export const FigureTable = ({ before, after }: { readonly before: Figures; readonly after: Figures }) => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <table className="correction-figures">
      <caption className="hidden-text">Before and after the correction</caption>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const values = { before: shown(before[name]), after: shown(after[name]) };
          return (
            <tr key={name} data-changed={values.before === values.after ? undefined : true}>
              <th scope="row">{fieldWords(name)}</th>
              <td>{values.before}</td>
              <td>{values.after}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

/** The facts in the details of a refusal; null for an error without them. */
export const factsIn = (error: unknown): Figures | null => {
  const { details } = (error ?? {}) as { details?: { facts?: unknown } };
  const facts = details?.facts;
  return facts && typeof facts === 'object' ? (facts as Figures) : null;
};

export const FactsAgainst = ({ facts }: { readonly facts: Figures }) => (
  <section className="stack-tight" aria-label="Facts">
    <h3>What the server found</h3>
    <Facts rows={Object.entries(facts).map(([name, value]) => [fieldWords(name), shown(value)] as const)} />
  </section>
);
