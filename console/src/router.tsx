// From the table of pages to routes: each page is loaded when it is first visited, inside the shell, behind the sign-in.

import { createBrowserRouter } from 'react-router';
import { PAGES } from './pages.ts';
import { whenConnected } from './shell/connected.ts';
import { LostPage } from './shell/lost-page.tsx';
import { PageTrouble } from './shell/page-trouble.tsx';
import { Shell } from './shell/shell.tsx';

/** While the code of the first page is on its way. */
const Nothing = () => null;

export const createRouter = () =>
  createBrowserRouter(
    [
      {
        path: '/',
        Component: Shell,
        ErrorBoundary: PageTrouble,
        HydrateFallback: Nothing,
        children: [
          {
            ErrorBoundary: PageTrouble,
            children: [
              ...PAGES.map(({ path, load }) => ({
                ...(path === '' ? { index: true as const } : { path }),
                lazy: () => whenConnected(load),
              })),
              { path: '*', Component: LostPage },
            ],
          },
        ],
      },
    ],
    { basename: '/console' },
  );
