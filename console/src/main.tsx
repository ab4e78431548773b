// Entry point of the console.

import '@holdfast/contract/look/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { returnToPlace } from './kept.ts';
import { Toasts } from './parts/toasts.tsx';
import { queryClient } from './queries.ts';
import { createRouter } from './router.tsx';
import { SessionProvider } from './session.tsx';
import { applyTheme } from './theme.ts';

applyTheme();
returnToPlace();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={createRouter()} />
          <Toasts />
        </SessionProvider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
