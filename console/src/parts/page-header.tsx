// The head of a page: its name, which is also the title of the window and where the keyboard starts after a change of page.

import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { isolated } from './foreign.ts';

type Props = {
  readonly title: string;
  /** Beside the title, such as a state. */
  readonly beside?: ReactNode;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  /** The page above this one. */
  readonly above?: { readonly name: string; readonly to: string };
};

export const PageHeader = ({ title, beside, text, actions, above }: Props) => {
  useEffect(() => {
    document.title = `${isolated(title)} · Holdfast`;
  }, [title]);
  return (
    <header className="page-header">
      <div className="page-header-words">
        {above ? (
          <nav className="crumbs" aria-label="Above this page">
            <Link to={above.to}>{above.name}</Link>
          </nav>
        ) : null}
        <h1 tabIndex={-1}>
          <span className="page-header-title">{title}</span>
          {beside}
        </h1>
        {text ? <p>{text}</p> : null}
      </div>
      {actions ? <div className="row">{actions}</div> : null}
    </header>
  );
};
