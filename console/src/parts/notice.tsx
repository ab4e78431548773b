// Something to know, and what to do about it: a refusal, an empty list, a piece that is still loading.

import type { ReactNode } from 'react';
import { isRefusal, requestIdOf, sentenceOf } from '../api.ts';
import { Button } from './button.tsx';

type NoticeProps = {
  readonly title: string;
  readonly tone?: 'good' | 'warn' | 'bad';
  readonly children?: ReactNode;
};

export const Notice = ({ title, tone, children }: NoticeProps) => (
  <div className="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
    <p className="notice-title">{title}</p>
    {children}
  </div>
);

type TroubleProps = {
  /** What was being done: `Orders could not be loaded`. */
  readonly title: string;
  readonly error: unknown;
  readonly again?: () => void;
};

const NEXT: Readonly<Record<number, string>> = {
  403: 'Sign in with a key that has this right.',
  404: 'Check the id, or go back to the list.',
  429: 'Wait a moment, then try again.',
  503: 'The server is restarting or overloaded. Try again in a moment.',
};

const nextOf = (error: unknown): string => {
  if (!isRefusal(error)) return 'Reload the page. If it stays, the server log says more.';
  if (error.outcomeUnknown) return 'Look at what is shown here before you ask for it again.';
  if (error.status === null) return 'Check that the server is running and that you are connected, then try again.';
  return NEXT[error.status] ?? (error.status >= 500 ? 'Try again. If it stays, look at Health.' : '');
};

/** Nobody may be told that nothing was done where that is not known. */
export const troubleTitle = (title: string, error: unknown): string =>
  isRefusal(error) && error.outcomeUnknown ? 'It is not known yet whether this was done' : title;

export const Trouble = ({ title, error, again }: TroubleProps) => (
  <Notice title={title} tone="bad">
    <p>
      {sentenceOf(error)} {nextOf(error)}
    </p>
    {isRefusal(error) ? (
      <p className="notice-small">
        {[error.code, requestIdOf(error) && `request ${requestIdOf(error)}`].filter(Boolean).join(' · ')}
      </p>
    ) : null}
    {again ? (
      <Button icon="refresh" onClick={again}>
        Try again
      </Button>
    ) : null}
  </Notice>
);

type EmptyProps = { readonly title: string; readonly children?: ReactNode; readonly action?: ReactNode };

export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {children ? <p>{children}</p> : null}
    {action}
  </div>
);

export const Skeleton = () => <span className="skeleton" aria-hidden="true" />;
