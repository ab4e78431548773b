// Puts the bar of the documentation above the page of the reference, with its search and its theme.

import { addressesOf, readAssets } from './assets.ts';
import { barOf } from './layout.ts';

export const withBar = async (html: string): Promise<string> => {
  const { referenceStyle, theme, script } = addressesOf(await readAssets());
  const head = `<link rel="stylesheet" href="${referenceStyle}">
<script src="${theme}" data-for="reference"></script>
<script type="module" src="${script}"></script>
`;
  return html
    .replace('</head>', () => `${head}</head>`)
    .replace(/<body[^>]*>/, (body) => `${body}\n${barOf('reference')}`);
};
