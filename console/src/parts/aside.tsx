// The details of one row beside its list; over the end of the list on a narrow screen. It takes the focus when it
// opens, and Escape closes it. The caller restores the focus.

import '../styles/aside.css';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';

type Props = {
  readonly title: ReactNode;
  /** The id of the shown row. */
  readonly of: string;
  readonly onClose: () => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export const Aside = ({ title, of, onClose, actions, children }: Props) => {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row takes the focus
  useEffect(() => heading.current?.focus({ preventScroll: true }), [of]);
  return (
    <aside
      className="panel aside"
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="panel-head">
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button tone="plain" icon="close" aria-label="Close details" onClick={onClose} />
      </div>
      <div className="panel-body stack">{children}</div>
      {actions ? <div className="aside-foot row">{actions}</div> : null}
    </aside>
  );
};

/** A list with the details of one row beside it. */
export const WithAside = ({ aside, children }: { readonly aside: ReactNode; readonly children: ReactNode }) => (
  <div className="with-aside" data-open={aside ? true : undefined}>
    {/* First in the tab order: a list can have a thousand tab stops. */}
    {aside}
    {children}
  </div>
);
