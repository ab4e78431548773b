// What the doctor says, check by check.

type Check = { name: string; state: string; detail: string; remedy: string | null };

export const byName = (checks: Check[]): Record<string, Check> =>
  Object.fromEntries(checks.map((check) => [check.name, check]));
