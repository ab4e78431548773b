// Applies the theme that was chosen here or in the console, before the page is drawn.

(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('holdfast.theme');
  } catch {
    // The browser blocks storage: the theme is that of the system.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  if (document.currentScript.dataset.for !== 'reference') return;
  try {
    // Where the page of the reference looks for its theme.
    localStorage.setItem('colorMode', chosen === 'light' || chosen === 'dark' ? chosen : 'system');
  } catch {
    // Its theme is that of the system.
  }
})();
