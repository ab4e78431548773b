// A button. A disabled one stays in the tab order, does nothing, and gives the reason.

import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Props = Omit<ComponentProps<'button'>, 'disabled'> & {
  readonly tone?: 'accent' | 'bad' | 'plain';
  readonly icon?: IconName;
  /** Why the button is disabled; null or undefined when it is enabled. */
  readonly reason?: string | null | undefined;
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
};

export const Button = ({ tone, icon, reason, isBusy = false, children, onClick, type = 'button', ...rest }: Props) => {
  const reasonId = useId();
  const isClosed = Boolean(reason) || isBusy;
  return (
    <button
      {...rest}
      type={type}
      className="button"
      data-tone={tone}
      aria-disabled={isClosed || undefined}
      aria-busy={isBusy || undefined}
      aria-describedby={reason ? reasonId : undefined}
      title={reason ?? rest.title}
      onClick={(event) => (isClosed ? event.preventDefault() : onClick?.(event))}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : icon ? <Icon name={icon} /> : null}
      {children}
      {reason ? (
        <span id={reasonId} className="hidden-text">
          {reason}
        </span>
      ) : null}
    </button>
  );
};
