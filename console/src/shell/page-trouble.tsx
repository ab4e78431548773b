// A page that could not be shown. An update of the server takes the old page's files away, so the first advice is to reload;
// without a connection that would lose the key, so then the page is fetched again as soon as there is one.

import { useCallback, useEffect } from 'react';
import { useLocation, useNavigate, useRouteError } from 'react-router';
import { Button } from '../parts/button.tsx';
import { Notice, Trouble } from '../parts/notice.tsx';
import { isNotConnected } from './connected.ts';

const isLostFile = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|Importing a module|preload CSS/i.test(error.message);

export const PageTrouble = () => {
  const error = useRouteError();
  if (isNotConnected(error)) return <NotConnected />;
  const title = isLostFile(error) ? 'The console was updated meanwhile' : 'This page could not be shown';
  return (
    <div className="stack">
      <Trouble title={title} error={error} />
      <div className="row">
        <Button tone="accent" icon="refresh" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    </div>
  );
};

const LOOK_MS = 3_000;

const NotConnected = () => {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const again = useCallback(
    () => void navigate({ pathname, search, hash }, { replace: true }),
    [navigate, pathname, search, hash],
  );
  useEffect(() => {
    window.addEventListener('online', again);
    // The network may be there a little later than the browser says.
    const timer = window.setInterval(() => navigator.onLine && again(), LOOK_MS);
    return () => {
      window.removeEventListener('online', again);
      window.clearInterval(timer);
    };
  }, [again]);
  return (
    <Notice title="You are not connected" tone="bad">
      <p>This page could not be fetched. It is shown by itself when you are connected again.</p>
      <Button icon="refresh" onClick={again}>
        Try again
      </Button>
    </Notice>
  );
};
