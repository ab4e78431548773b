// Operators in the browser: signed in with the form, as a person does it, or with the cookie of a session that the API began.

import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app.ts';
import {
  codeAt,
  credentialsOf,
  type Joined,
  PASSWORD,
  type SignedIn,
  stepNow,
} from '../../support/operator-fixture.ts';

type Typed = { readonly email: string; readonly password: string; readonly code: string };

/** Shows the form of operators, whichever form is shown first. */
export const showOperatorForm = async (page: Page): Promise<void> => {
  const field = page.getByLabel('E-mail');
  const other = page.getByRole('button', { name: 'Use e-mail and password' });
  await field.or(other).waitFor();
  if (await other.isVisible()) await other.click();
};

export const typeSignIn = async (page: Page, { email, password, code }: Typed): Promise<void> => {
  await showOperatorForm(page);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** With one of the ten recovery codes. */
export const signInAs = (page: Page, operator: Joined): Promise<void> => typeSignIn(page, credentialsOf(operator));

/** With the code that the app shows next: the joining used the present one. */
export const nextCodeOf = ({ email, secret }: Pick<Joined, 'email' | 'secret'>): Typed => ({
  email,
  password: PASSWORD,
  code: codeAt(secret, stepNow() + 1),
});

/** Gives the browser the session of an operator. The page must be loaded afterwards. */
const giveCookie = async (page: Page, { app, cookie }: { app: TestApp; cookie: SignedIn['cookie'] }) => {
  const [name = '', ...value] = cookie
    .split('; ')
    .find((one) => one.startsWith('holdfast='))!
    .split('=');
  await page.context().addCookies([{ name, value: value.join('='), url: app.url, httpOnly: true, sameSite: 'Strict' }]);
};

/** Opens a page of the console in the session of the operator. */
export const openAs = async (
  page: Page,
  { app, cookie, place }: { app: TestApp; cookie: SignedIn['cookie']; place: string },
): Promise<void> => {
  await page.context().clearCookies();
  await giveCookie(page, { app, cookie });
  await page.goto(`${app.url}/console${place}`);
  await page.locator('#main h1').waitFor();
};
