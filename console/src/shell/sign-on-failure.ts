// The failed single sign-on comes back to the first page with a parameter. It is read once and leaves the URL.

const FAILED = 'failed';

const SENTENCE =
  'The single sign-on did not work. Your account there must have the verified e-mail address of your invitation. Try again, or ask an administrator.';

export const takeFailure = (): string | null => {
  const url = new URL(window.location.href);
  if (url.searchParams.get(FAILED) !== 'single-sign-on') return null;
  url.searchParams.delete(FAILED);
  window.history.replaceState(window.history.state, '', url);
  return SENTENCE;
};
