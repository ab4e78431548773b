// The header of a page. Its title is also the document title and takes the focus after a change of page.

import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { isolated } from './foreign.ts';

type Props = {
  readonly title: string;
  /** Beside the title, such as a status. */
  readonly beside?: ReactNode;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  /** The parent page. */
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
          <nav className="crumbs" aria-label="Breadcrumb">
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
