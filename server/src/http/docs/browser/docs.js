// The small conveniences of a page: the choice of the theme, buttons that copy code, and the search when it is used for the first time.

const STORED = 'holdfast.theme';

const storedTheme = () => {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
};

const applyTheme = (theme) => {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  // The reference has classes instead.
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  if (document.body.matches('.dark-mode, .light-mode')) {
    document.body.classList.toggle('dark-mode', isDark);
    document.body.classList.toggle('light-mode', !isDark);
  }
};

const themes = document.querySelector('select.theme');
if (themes) {
  const stored = storedTheme();
  themes.value = stored === 'light' || stored === 'dark' ? stored : 'system';
  themes.hidden = false;
  themes.addEventListener('change', () => {
    try {
      localStorage.setItem(STORED, themes.value);
    } catch {
      // The choice lasts until the page is closed.
    }
    applyTheme(themes.value);
  });
}

const SHOWN_MS = 2_000;

const addCopyButton = (block) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard.writeText(block.querySelector('code').innerText).then(
      () => true,
      () => false,
    );
    button.textContent = done ? 'Copied' : 'Not copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, SHOWN_MS);
  });
  block.append(button);
};

// Only a page with a secure address, or one of this machine, may use the clipboard.
if (navigator.clipboard) for (const block of document.querySelectorAll('.code')) addCopyButton(block);

const form = document.querySelector('form.search');
const field = form?.querySelector('input');

let loading = null;
const openSearch = () => {
  loading ??= import('./search.js').then(({ startSearch }) => startSearch({ form, field }));
  return loading;
};

field?.addEventListener('focus', () => void openSearch(), { once: true });
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  event.preventDefault();
  field?.focus();
  field?.select();
});
