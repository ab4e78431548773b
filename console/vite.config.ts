// Bundles the console: one chunk per page, file names by content, and no inline code, which the content security policy
// would refuse. The dev server proxies all other requests to a server on port 4000.

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const API = 'http://127.0.0.1:4000';
/** The routes beside the page. */
const SIGN_IN = '^/console/(session|sign-in|invite|passkeys)';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  server: { port: 5173, proxy: { '/api': { target: API }, '/docs': { target: API }, [SIGN_IN]: { target: API } } },
  build: {
    target: 'es2024',
    manifest: true,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Changes only with the packages, so it stays in the browser cache.
        codeSplitting: {
          groups: [
            { name: 'frame', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/ },
            // Small, and needed by the first page: one request instead of four.
            {
              name: 'parts',
              test: /src[\\/](parts[\\/](bidi|copy-button|id|notice|money[\\/]amounts)|console-routes)\.tsx?$/,
            },
            // Needed by nearly every page, and not before it: one request instead of five.
            { name: 'page', test: /src[\\/]parts[\\/](panel|status|time|fields|money[\\/]amount)\.tsx$/ },
          ],
        },
      },
    },
  },
});
