// Personal data in places that outlive it: an audit entry can never be changed, so it shows only enough to recognise.

/** `ada@example.com` becomes `a***@example.com`. */
export const masked = (email: string | null): string | null => email?.replace(/^(.)[^@]*(?=@)/, '$1***') ?? null;
