// One thing out of a list, told beside it; over the foot of the list on a narrow screen. The keyboard goes into it when it
// opens, Escape closes it, and whoever opened it gets the keyboard back.

import '../styles/aside.css';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';

type Props = {
  readonly title: ReactNode;
  /** Changes with the thing that is told about. */
  readonly of: string;
  readonly onClose: () => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export const Aside = ({ title, of, onClose, actions, children }: Props) => {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thing takes the keyboard
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
        <Button tone="plain" icon="close" aria-label="Close the details" onClick={onClose} />
      </div>
      <div className="panel-body stack">{children}</div>
      {actions ? <div className="aside-foot row">{actions}</div> : null}
    </aside>
  );
};

/** The list, and beside it what was chosen from it. */
export const WithAside = ({ aside, children }: { readonly aside: ReactNode; readonly children: ReactNode }) => (
  <div className="with-aside" data-open={aside ? true : undefined}>
    {/* First for the keyboard: a list can be a thousand stops long. */}
    {aside}
    {children}
  </div>
);
