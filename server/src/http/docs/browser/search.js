// The search in the bar: loads the index once, and shows the best results while the reader types. Arrows choose, Enter opens, Escape closes.

import { excerptOf } from './excerpt.js';
import { findIn } from './find.js';

const SHOWN_MAX = 8;

const loadIndex = async () => {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import('./minisearch.js'),
    fetch('/docs/search-index.json'),
  ]);
  if (!response.ok) throw new Error(`the index answered ${response.status}`);
  const { options, index } = await response.json();
  return MiniSearch.loadJS(index, options);
};

const element = (tag, className, content = '') => {
  const made = document.createElement(tag);
  made.className = className;
  made.append(content);
  return made;
};

const optionOf = ({ url, page, title, text, terms }, place) => {
  const option = element('a', 'result');
  option.href = url;
  option.id = `search-result-${place}`;
  option.tabIndex = -1;
  option.setAttribute('role', 'option');
  const excerpt = element('span', 'result-text');
  for (const piece of excerptOf(text, terms)) {
    excerpt.append(piece.isMatch ? element('mark', '', piece.text) : piece.text);
  }
  option.append(element('span', 'result-title', title), element('span', 'result-page', page), excerpt);
  return option;
};

export const startSearch = async ({ form, field }) => {
  const list = form.querySelector('.results');
  const index = await loadIndex();
  let options = [];
  let chosen = -1;
  const nothing = element('p', 'result-none', 'No page contains these words.');
  nothing.setAttribute('role', 'option');
  nothing.setAttribute('aria-disabled', 'true');

  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Results');
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-controls', list.id);
  field.setAttribute('aria-autocomplete', 'list');

  const show = (isOpen) => {
    list.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
  };

  const choose = (place) => {
    options[chosen]?.removeAttribute('aria-selected');
    chosen = place;
    options[chosen]?.setAttribute('aria-selected', 'true');
    options[chosen]?.scrollIntoView({ block: 'nearest' });
    if (chosen < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', options[chosen].id);
  };

  const search = () => {
    const query = field.value.trim();
    options = query === '' ? [] : findIn(index, query).slice(0, SHOWN_MAX).map(optionOf);
    list.replaceChildren(...(options.length > 0 ? options : [nothing]));
    choose(-1);
    show(query !== '');
  };

  const KEYS = {
    ArrowDown: () => choose(Math.min(chosen + 1, options.length - 1)),
    ArrowUp: () => choose(Math.max(chosen - 1, -1)),
    Escape: () => show(false),
    Enter: () => options[chosen]?.click(),
  };
  field.addEventListener('keydown', (event) => {
    if (!(event.key in KEYS) || list.hidden) return;
    // Enter without a choice opens the page with all results.
    if (event.key === 'Enter' && chosen < 0) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  field.addEventListener('input', search);
  field.addEventListener('focus', () => show(field.value.trim() !== '' && options.length > 0));
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget)) show(false);
  });
  // A result closes the list also where it leads to another part of the same page.
  list.addEventListener('click', () => show(false));
  show(false);
  if (field.value.trim() !== '') search();
};
