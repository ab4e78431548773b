// The icons of the console, drawn with one stroke in the colour of the text.

const PATHS = {
  home: 'M3 11.5 12 4l9 7.5M5.5 10v9.5h13V10M10 19.5v-5h4v5',
  orders: 'M6 3.5h9l3.5 3.5v13.5H6zM14.5 3.5V8h4M9 12h6M9 16h6',
  disputes: 'M12 4v16M7 20h10M4 8h16M7 8l-3 6.5h6zM17 8l-3 6.5h6z',
  users:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c.5-3.8 3-5.5 6.5-5.5s6 1.7 6.5 5.5M16 11.5a3 3 0 1 0-1-5.8M17.5 14.8c2.4.5 3.7 2.2 4 5.2',
  topups: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 19.5h16',
  withdrawals: 'M12 15V4M7.5 8.5 12 4l4.5 4.5M4 19.5h16',
  policies: 'M12 8.5v4l2.5 2.5M12 20.5a8 8 0 1 0 0-16 8 8 0 0 0 0 16M9.5 2h5',
  reports: 'M4 4v16h16M8 16v-5M12 16V7M16 16v-3',
  breaks: 'M12 3.5 21 19.5H3zM12 10v4.5M12 17v.2',
  events: 'M3 12h4l2.5-7 5 14 2.5-7h4',
  webhooks: 'M4 12h9M9.5 8.5 13 12l-3.5 3.5M14 5.5h5.5v13H14',
  audit: 'M12 3.5 19.5 6v6c0 4.5-3 7.5-7.5 9-4.5-1.5-7.5-4.5-7.5-9V6zM8.5 12l2.5 2.5 4.5-5',
  approvals: 'M5 4.5h14v15H5zM8.5 12l2.5 2.5 4.5-5',
  operators: 'M12 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M5 20c.6-3.8 3.2-5.5 7-5.5s6.4 1.7 7 5.5',
  keys: 'M14.5 13.5a4.5 4.5 0 1 0-4-2.5L3.5 18v2.5H7V18h2.5v-2.5l1.8-1.8M16 8.5v.1',
  marketplaces: 'M4.5 9.5 6 4.5h12l1.5 5c0 3-5 3-5 0 0 3-5 3-5 0 0 3-5 3-5 0M5.5 12.5v7h13v-7M10 19.5v-4h4v4',
  health:
    'M12 20.5C5.5 16 3 12.5 3 9a4.7 4.7 0 0 1 9-2 4.7 4.7 0 0 1 9 2c0 3.5-2.5 7-9 11.5M6.5 11.5H10l1.5-3 2 5 1.2-2h2.8',
  sandbox: 'M9 3.5h6M10 3.5v6L4.5 19c-.5 1 0 1.5 1 1.5h13c1 0 1.5-.5 1-1.5L14 9.5v-6M7.5 15h9',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l4.5 4.5',
  copy: 'M9 9h10.5v10.5H9zM5 15H4.5V4.5H15V5',
  done: 'M5 12.5 10 17.5 19.5 7',
  close: 'M6 6l12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  down: 'M6 9.5 12 15.5l6-6',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5',
  system: 'M3.5 5h17v11.5h-17zM9 20h6M12 16.5V20',
  exit: 'M14 4.5H5.5v15H14M10.5 12H20M16.5 8.5 20 12l-3.5 3.5',
  arrow: 'M5 12h14M13.5 6.5 19 12l-5.5 5.5',
  alerts: 'M6 16.5h12l-1.5-2.5v-4a4.5 4.5 0 0 0-9 0v4zM10.5 19.5h3M12 5.5V4',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);

export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="7" fill="#0b5d57" />
    <path d="M9 7v18M23 7v18M9 16h14" stroke="#fff" strokeWidth="3.4" strokeLinecap="round" />
    <circle cx="16" cy="16" r="4.2" fill="#0b5d57" stroke="#fff" strokeWidth="2.6" />
  </svg>
);
