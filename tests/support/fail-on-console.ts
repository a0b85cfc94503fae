// Setup file of every Vitest project: a line on console.error or console.warn that the test did not expect fails the test.
// In workerd this covers the Worker and its objects too, because they share the isolate.
import { afterEach, beforeEach } from 'vitest';
import { recordConsole, settleConsole } from './expect-console.ts';

console.error = (...values: unknown[]) => recordConsole('error', values);
console.warn = (...values: unknown[]) => recordConsole('warn', values);

let early: string[] = [];

beforeEach(() => {
  early = settleConsole();
});

afterEach(() => {
  const problems = [...early.map((line) => `before this test began: ${line}`), ...settleConsole()];
  if (problems.length > 0) throw new Error(`Unexpected console output.\n${problems.join('\n')}`);
});
