// Messages on a page: notices, errors with advice, empty lists, and placeholders while loading.

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { errorMessage, isRefusal, requestIdOf, waitingFor } from '../api.ts';
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

type ErrorNoticeProps = {
  /** What failed: `Orders could not be loaded`. */
  readonly title: string;
  readonly error: unknown;
  readonly again?: () => void;
};

const NEXT: Readonly<Record<number, string>> = {
  403: 'Sign in as someone with this permission.',
  404: 'Check the ID, or go back to the list.',
  429: 'Wait a moment, then try again.',
  503: 'The server is restarting or overloaded. Try again in a moment.',
};

const nextOf = (error: unknown): string => {
  if (!isRefusal(error)) return 'Reload the page. If the problem persists, see the server log.';
  if (error.outcomeUnknown) return 'Check the current status before you try again.';
  if (error.status === null) return 'Check that the server is running and that you are online, then try again.';
  return NEXT[error.status] ?? (error.status >= 500 ? 'Try again. If the problem persists, see the Health page.' : '');
};

/** An unknown outcome must not be shown as a failure. */
export const errorTitle = (title: string, error: unknown): string =>
  isRefusal(error) && error.outcomeUnknown ? 'Outcome unknown' : title;

/** A request that waits is neither done nor failed. */
const WaitingNotice = ({ approvalId }: { readonly approvalId: string }) => (
  <Notice title="Waits for approval" tone="warn">
    <p role="status">
      A rule makes this request wait for another person. Nothing was done yet.{' '}
      <Link to={`/approvals/${approvalId}`}>Open the request</Link>
    </p>
  </Notice>
);

export const ErrorNotice = (props: ErrorNoticeProps) => {
  const approvalId = waitingFor(props.error);
  return approvalId === null ? <FailureNotice {...props} /> : <WaitingNotice approvalId={approvalId} />;
};

const FailureNotice = ({ title, error, again }: ErrorNoticeProps) => (
  <Notice title={title} tone="bad">
    <p>
      {errorMessage(error)} {nextOf(error)}
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
