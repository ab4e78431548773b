// The header of a page. Its title is also the document title and takes the focus after a change of page.

import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { isolateBidi } from './bidi.ts';

type Props = {
  readonly title: string;
  /** Beside the title, such as a status. */
  readonly badge?: ReactNode;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  /** The parent page. */
  readonly parent?: { readonly name: string; readonly to: string };
};

export const PageHeader = ({ title, badge, text, actions, parent }: Props) => {
  useEffect(() => {
    document.title = `${isolateBidi(title)} · Holdfast`;
  }, [title]);
  return (
    <header className="page-header">
      <div className="page-header-words">
        {parent ? (
          <nav className="crumbs" aria-label="Breadcrumb">
            <Link to={parent.to}>{parent.name}</Link>
          </nav>
        ) : null}
        <h1 tabIndex={-1}>
          <span className="page-header-title">{title}</span>
          {badge}
        </h1>
        {text ? <p>{text}</p> : null}
      </div>
      {actions ? <div className="row">{actions}</div> : null}
    </header>
  );
};
