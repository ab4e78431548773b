// How the console is bundled: one chunk per page, file names by content, nothing inlined that the strict policy of the
// page would refuse. The dev server passes everything but its own files on to a server on port 4000.

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const API = 'http://127.0.0.1:4000';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  server: { port: 5173, proxy: { '/api': { target: API }, '/docs': { target: API } } },
  build: {
    target: 'es2024',
    manifest: true,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Changes with an update of the packages only, so it stays in the browser's cache.
        codeSplitting: {
          groups: [{ name: 'frame', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/ }],
        },
      },
    },
  },
});
