// A page that could not be shown. An update of the server takes the old page's files away, so the first advice is to reload.

import { useRouteError } from 'react-router';
import { Button } from '../parts/button.tsx';
import { Trouble } from '../parts/notice.tsx';

const isLostFile = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|Importing a module|preload CSS/i.test(error.message);

export const PageTrouble = () => {
  const error = useRouteError();
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
