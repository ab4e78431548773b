// The error page. After an update of the server the old files are gone, so it offers a reload. Without a connection a
// reload would lose the key, so it retries as soon as the connection is back.

import { useCallback, useEffect } from 'react';
import { Link, useLocation, useNavigate, useRouteError } from 'react-router';
import { Button } from '../parts/button.tsx';
import { Empty, ErrorNotice, Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { isNotConnected } from './connected.ts';

const isLostFile = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|Importing a module|preload CSS/i.test(error.message);

export const ErrorPage = () => {
  const error = useRouteError();
  if (isNotConnected(error)) return <NotConnected />;
  const title = isLostFile(error) ? 'The console was updated' : 'This page could not be displayed';
  return (
    <div className="stack">
      <ErrorNotice title={title} error={error} />
      <div className="row">
        <Button tone="accent" icon="refresh" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    </div>
  );
};

const POLL_MS = 3_000;

const NotConnected = () => {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const again = useCallback(
    () => void navigate({ pathname, search, hash }, { replace: true }),
    [navigate, pathname, search, hash],
  );
  useEffect(() => {
    window.addEventListener('online', again);
    // The network may be back a little later than the browser reports.
    const timer = window.setInterval(() => navigator.onLine && again(), POLL_MS);
    return () => {
      window.removeEventListener('online', again);
      window.clearInterval(timer);
    };
  }, [again]);
  return (
    <Notice title="You are offline" tone="bad">
      <p>This page could not be loaded. It opens automatically when you are online again.</p>
      <Button icon="refresh" onClick={again}>
        Try again
      </Button>
    </Notice>
  );
};

export const NotFoundPage = () => (
  <>
    <PageHeader title="Page not found" />
    <section className="panel">
      <Empty title="This page does not exist" action={<Link to="/">Go to Home</Link>}>
        The link may be outdated or mistyped. Press / to search for an order, a user or an ID.
      </Empty>
    </section>
  </>
);
