// Lets a test expect a line on console.error or console.warn. Any other line fails the test (fail-on-console.ts).

export type ConsoleLevel = 'error' | 'warn';

interface Expectation {
  level: ConsoleLevel;
  pattern: RegExp;
  seen: number;
}

let expectations: Expectation[] = [];
let accepted: Pick<Expectation, 'level' | 'pattern'>[] = [];
let unexpected: string[] = [];

/** Declares that this test writes at least one line matching `pattern`; any number of such lines is then accepted. */
export function expectConsole(level: ConsoleLevel, pattern: RegExp): void {
  expectations.push({ level, pattern, seen: 0 });
}

/** Declares that lines matching `pattern` say nothing of what this test is about, if there are any. */
export function acceptConsole(level: ConsoleLevel, pattern: RegExp): void {
  accepted.push({ level, pattern });
}

/** Called for each line written. */
export function recordConsole(level: ConsoleLevel, values: readonly unknown[]): void {
  const line = values.map(describe).join(' ');
  const isIt = (each: Pick<Expectation, 'level' | 'pattern'>) =>
    each.level === level && each.pattern.test(line);
  const expected = expectations.filter(isIt);
  for (const each of expected) each.seen += 1;
  if (expected.length === 0 && !accepted.some(isIt)) unexpected.push(`console.${level}: ${line}`);
}

/** Forgets everything, and answers what was wrong since the last call: unexpected lines, and lines that never came. */
export function settleConsole(): string[] {
  const missing = expectations
    .filter((each) => each.seen === 0)
    .map((each) => `expected on console.${each.level}, but never written: ${each.pattern}`);
  const problems = [...unexpected, ...missing];
  expectations = [];
  accepted = [];
  unexpected = [];
  return problems;
}

function describe(value: unknown): string {
  if (value instanceof Error) return value.stack ?? String(value);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
